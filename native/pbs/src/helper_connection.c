// SPDX-License-Identifier: Apache-2.0
#include "helper_connection.h"

#include "drive.h"
#include "helper_socket.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

void pbs_disconnect(struct pbs_connection *connection)
{
	if (connection->bytes)
		munmap(connection->bytes, PBS_HELPER_BYTES);
	if (connection->memory >= 0)
		close(connection->memory);
	if (connection->socket >= 0)
		close(connection->socket);
	free(connection);
}

static int late(struct pbs_failure *failure)
{
	return pbs_fail(failure, PBS_REASON_TIMEOUT, "no answer from the helper in time");
}

static int broken(struct pbs_failure *failure, const char *what, int error)
{
	/* Of a socket with a time limit. */
	if (error == EAGAIN)
		return late(failure);
	return pbs_fail(failure,
			error == EACCES || error == EPERM ? PBS_REASON_RIGHTS : PBS_REASON_HELPER,
			"the helper: %s: %s", what, strerror(error));
}

/* What comes from another process is not to be trusted: the reason is an index of others. */
static void check_failure(struct pbs_failure *failure)
{
	failure->text[sizeof(failure->text) - 1] = '\0';
	if ((int)failure->reason <= PBS_REASON_NONE || (int)failure->reason >= PBS_REASONS)
		failure->reason = PBS_REASON_HELPER;
}

static int receive(struct pbs_connection *connection, int64_t until, struct pbs_helper_reply *reply,
		   struct pbs_failure *failure)
{
	struct pollfd waited = {.fd = connection->socket, .events = POLLIN};
	int error;

	while (until) {
		int64_t left = (until - pbs_now()) / NS_PER_MS;
		int ready = poll(&waited, 1, left > 0 ? (int)left : 0);

		if (ready > 0)
			break;
		if (ready == 0)
			return late(failure);
		if (errno != EINTR)
			return broken(failure, "poll", errno);
	}
	error = pbs_socket_receive(connection->socket, reply, sizeof(*reply), NULL);
	if (error)
		return broken(failure, "its answer", -error);
	if (reply->magic != PBS_HELPER_MAGIC)
		return pbs_fail(failure, PBS_REASON_HELPER, "the helper has another version");
	if (reply->result < 0)
		check_failure(&reply->failure);
	return 0;
}

int pbs_call(struct pbs_connection *connection, const struct pbs_helper_request *request, int fd,
	     int64_t until, struct pbs_helper_reply *reply, struct pbs_failure *failure)
{
	int error = pbs_socket_send(connection->socket, request, sizeof(*request), fd);

	/* A helper that refuses this client sends the reason before it closes. */
	if (error && error != -EPIPE)
		return broken(failure, "the request", -error);
	return receive(connection, until, reply, failure);
}

struct pbs_helper_request pbs_request(enum pbs_helper_operation operation, dev_t device)
{
	struct pbs_helper_request request = {
		.magic = PBS_HELPER_MAGIC,
		.operation = operation,
		.device_major = major(device),
		.device_minor = minor(device),
	};

	return request;
}

/* A helper that is stopped accepts nobody, and connect(2) waits for it once others do. */
static int connect_until(int fd, const struct sockaddr_un *address, int64_t until)
{
	int64_t left = until - pbs_now();
	struct timeval limit = {
		.tv_sec = left / NS_PER_S,
		.tv_usec = left % NS_PER_S / NS_PER_US,
	};

	if (left < NS_PER_US) {
		errno = EAGAIN;
		return -1;
	}
	return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) ||
			       connect(fd, (const struct sockaddr *)address, sizeof(*address))
		       ? -1
		       : 0;
}

static int share_memory(struct pbs_connection *connection, struct pbs_failure *failure)
{
	void *bytes = MAP_FAILED;

	connection->memory = memfd_create("pbs", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (connection->memory >= 0 && ftruncate(connection->memory, PBS_HELPER_BYTES) == 0)
		bytes = mmap(NULL, PBS_HELPER_BYTES, PROT_READ, MAP_SHARED, connection->memory, 0);
	if (bytes == MAP_FAILED)
		return pbs_fail(failure, PBS_REASON_RESOURCES, "memory to share: %s",
				strerror(errno));
	connection->bytes = bytes;
	return 0;
}

static int set_up(struct pbs_connection *connection, const struct sockaddr_un *address,
		  dev_t device, int64_t until, struct pbs_failure *failure)
{
	struct pbs_helper_request hello = pbs_request(PBS_HELPER_HELLO, device);
	struct pbs_helper_reply reply;

	connection->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (connection->socket < 0 || connect_until(connection->socket, address, until))
		return broken(failure, address->sun_path, errno);
	if (share_memory(connection, failure) ||
	    pbs_call(connection, &hello, connection->memory, until, &reply, failure))
		return -1;
	if (reply.result < 0) {
		*failure = reply.failure;
		return -1;
	}
	return 0;
}

struct pbs_connection *pbs_connect(const struct sockaddr_un *address, dev_t device, int64_t until,
				   struct pbs_failure *failure)
{
	struct pbs_connection *connection = calloc(1, sizeof(*connection));

	if (!connection) {
		pbs_fail(failure, PBS_REASON_RESOURCES, "no memory for a connection");
		return NULL;
	}
	connection->socket = -1;
	connection->memory = -1;
	if (set_up(connection, address, device, until, failure) == 0)
		return connection;
	pbs_disconnect(connection);
	return NULL;
}
