/* SPDX-License-Identifier: Apache-2.0 */
/* The helper's socket. */
#ifndef PBS_HELPER_LISTEN_H
#define PBS_HELPER_LISTEN_H

#include "failure.h"

#include <sys/types.h>

/*
 * Listens at a path, which must fit into an address, and gives the socket to a user and a group ((uid_t)-1 and
 * (gid_t)-1: its own), who may connect; others may not. Takes the place of a socket on which nobody listens any
 * more. The socket, non-blocking; or -1, and why. Not thread-safe: it changes the process's umask meanwhile.
 */
int pbs_helper_listen(const char *path, uid_t user, gid_t group, int backlog,
		      struct pbs_failure *failure);

#endif
