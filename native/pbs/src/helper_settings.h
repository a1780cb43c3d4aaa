/* SPDX-License-Identifier: Apache-2.0 */
/* The helper's command line. */
#ifndef PBS_HELPER_SETTINGS_H
#define PBS_HELPER_SETTINGS_H

#include <sys/types.h>

#define PBS_MAX_VOLUMES 64
/* Of a user or group. */
#define PBS_NOT_GIVEN ((uid_t)-1)

struct pbs_settings {
	const char *socket; /* fits into an address */
	uid_t allow_uid; /* PBS_NOT_GIVEN */
	gid_t allow_gid;
	const char *user_name; /* NULL: user and group are given by number */
	uid_t user; /* to run as, if this is root */
	gid_t group;
	unsigned volumes;
	const char *path[PBS_MAX_VOLUMES];
};

/* Ends the program with status 2, after a message, for arguments that are not valid. */
void pbs_settings_parse(int argc, char **argv, struct pbs_settings *settings);

#endif
