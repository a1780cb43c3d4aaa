/* SPDX-License-Identifier: Apache-2.0 */
/* What the helper may do. */
#ifndef PBS_HELPER_RIGHTS_H
#define PBS_HELPER_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Looks for a user in /etc/passwd, and nowhere else: to ask the system's other sources would load libraries into
 * this program. False: there is none of this name.
 */
bool pbs_rights_find_user(const char *name, uid_t *user, gid_t *group);

/*
 * Becomes this user and group, if it is root, and drops all capabilities, but with rawio CAP_SYS_RAWIO. What it
 * runs gains none. Ends the process where that fails. No thread may run yet.
 */
void pbs_rights_drop(uid_t user, gid_t group, bool rawio);

#endif
