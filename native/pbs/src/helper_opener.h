/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens a volume of the helper in a process of its own, which keeps the rights for it and hands the open
 * descriptors over. So the helper serves what can be opened, at once and without these rights, however long
 * another disk hangs.
 */
#ifndef PBS_HELPER_OPENER_H
#define PBS_HELPER_OPENER_H

#include "target.h"

/*
 * Starts the process that opens the volume of this path. It tries again, after one second and then twice as long
 * each time up to 30, until it has opened it or this process has ended, and says on its standard error why it could
 * not. with_rawio: the helper keeps CAP_SYS_RAWIO, so that a disk without an sg node can be served, too. others are
 * the results of former calls. Ends the helper where no process can be started. Returns a socket that is readable
 * once there is something to take. No thread may run yet.
 */
int pbs_opener_start(const char *path, bool with_rawio, const int *others, unsigned count);

/* Takes what an opener has opened, and closes the socket. 0; or -1, and why. */
int pbs_opener_take(int socket, struct pbs_target **target, struct pbs_failure *failure);

#endif
