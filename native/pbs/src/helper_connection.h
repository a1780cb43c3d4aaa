/* SPDX-License-Identifier: Apache-2.0 */
/* A connection of the library to hprio-pbsd, for one read at a time. Not thread-safe. */
#ifndef PBS_HELPER_CONNECTION_H
#define PBS_HELPER_CONNECTION_H

#include "helper_protocol.h"

#include <sys/queue.h>
#include <sys/types.h>
#include <sys/un.h>

struct pbs_connection {
	TAILQ_ENTRY(pbs_connection) link;
	int64_t idle_since;
	int socket;
	int memory;
	void *bytes; /* PBS_HELPER_BYTES, shared */
};

/* A request about the file system on this device; the rest of it is 0. */
struct pbs_helper_request pbs_request(enum pbs_helper_operation operation, dev_t device);

/*
 * Connects, and asks whether the helper serves the device. until: when to give up (CLOCK_MONOTONIC in ns).
 * NULL after a failure, PBS_REASON_TIMEOUT if it is that time.
 */
struct pbs_connection *pbs_connect(const struct sockaddr_un *address, dev_t device, int64_t until,
				   struct pbs_failure *failure);

void pbs_disconnect(struct pbs_connection *connection);

/*
 * Sends the request with a descriptor and waits for the reply until then; 0: forever. 0 and the reply, whose failure
 * has a valid reason and text if its result is negative; or -1 when the connection is no longer usable.
 */
int pbs_call(struct pbs_connection *connection, const struct pbs_helper_request *request, int fd,
	     int64_t until, struct pbs_helper_reply *reply, struct pbs_failure *failure);

#endif
