/* Which file system a descriptor is on: /proc/self/mountinfo (proc(5)). */
#ifndef PBS_MOUNTINFO_H
#define PBS_MOUNTINFO_H

#include "hprio_pbs.h"

#include <stdbool.h>

struct pbs_mount {
	char type[PBS_NAME];	/* e.g. "ext4" */
	char options[PBS_TEXT]; /* of the file system, e.g. "rw,data=ordered" */
};

/* False if it cannot be found out, e.g. without /proc. */
bool pbs_mount_of(int fd, struct pbs_mount *mount);

/* The same from one line of mountinfo; false if it is of another mount or makes no sense. */
bool pbs_mount_parse(const char *line, int mount_id, struct pbs_mount *mount);

/* Whether the options hold this one, e.g. "data=journal". */
bool pbs_mount_has(const struct pbs_mount *mount, const char *option);

#endif
