/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library's side of hprio-pbsd. A connection is for one read at a time. All volumes of a process share
 * their connections to one helper, and a volume has PBS_HELPER_READS of them at most; further reads wait, in
 * their order. A connection that no read has used for 5 s is closed. Thread-safe.
 */
#ifndef PBS_HELPER_CLIENT_H
#define PBS_HELPER_CLIENT_H

#include "drive.h"

#include <sys/types.h>

/* A volume at the helper. */
struct pbs_helper;

/* Asks the helper at the socket whether it serves the device. 0; or -1, and why not. */
int pbs_helper_open(const char *socket, dev_t device, struct pbs_helper **helper,
		    struct pbs_failure *failure);

/* No read may be in progress. NULL is allowed. */
void pbs_helper_close(struct pbs_helper *helper);

/* As pbs_mapped_read, done by the helper. Reconnects after a restart of the helper. */
int64_t pbs_helper_read(struct pbs_helper *helper, int fd, void *buffer, uint64_t length,
			uint64_t offset, const struct pbs_order *order, struct pbs_served *served,
			struct pbs_failure *failure);

#endif
