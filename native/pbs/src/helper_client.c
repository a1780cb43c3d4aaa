// SPDX-License-Identifier: Apache-2.0
#include "helper_client.h"

#include "helper_connection.h"
#include "places.h"
#include "thread.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)
/* How long after the reader's deadline to wait for the helper's own "no answer in time". */
#define GRACE_NS NS_PER_S
/* The longest wait for a connection. */
#define CONNECT_NS NS_PER_S
/* How long a connection is kept that no read uses. */
#define IDLE_NS (5 * NS_PER_S)

TAILQ_HEAD(connection_list, pbs_connection);

/* The connections of this process to one helper, for all volumes that it serves. */
struct pool {
	LIST_ENTRY(pool) link;
	unsigned users; /* under the lock of all pools */
	struct sockaddr_un address;
	pthread_mutex_t lock; /* for all below */
	pthread_cond_t changed;
	struct connection_list idle; /* the last used first */
	bool closing;
	pthread_t closer;
};

struct pbs_helper {
	struct pool *pool;
	dev_t device;
	struct pbs_places reads; /* that may have a connection */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static LIST_HEAD(, pool) pools = LIST_HEAD_INITIALIZER(pools);

/* --- the pool --------------------------------------------------------------------------------- */

static struct pbs_connection *take_idle(struct pool *pool)
{
	struct pbs_connection *connection;

	pthread_mutex_lock(&pool->lock);
	connection = TAILQ_FIRST(&pool->idle);
	if (connection)
		TAILQ_REMOVE(&pool->idle, connection, link);
	pthread_mutex_unlock(&pool->lock);
	return connection;
}

static void put_idle(struct pool *pool, struct pbs_connection *connection)
{
	pthread_mutex_lock(&pool->lock);
	connection->idle_since = pbs_now();
	if (TAILQ_EMPTY(&pool->idle))
		pthread_cond_signal(&pool->changed);
	TAILQ_INSERT_HEAD(&pool->idle, connection, link);
	pthread_mutex_unlock(&pool->lock);
}

/* Closes connections that have not been used for a while: each costs both processes memory. */
static void *close_idle(void *argument)
{
	struct pool *pool = argument;

	pthread_mutex_lock(&pool->lock);
	while (!pool->closing) {
		struct pbs_connection *oldest = TAILQ_LAST(&pool->idle, connection_list);

		if (!oldest) {
			pthread_cond_wait(&pool->changed, &pool->lock);
			continue;
		}
		if (pbs_now() < oldest->idle_since + IDLE_NS) {
			pbs_condition_wait(&pool->changed, &pool->lock,
					   oldest->idle_since + IDLE_NS);
			continue;
		}
		TAILQ_REMOVE(&pool->idle, oldest, link);
		pthread_mutex_unlock(&pool->lock);
		pbs_disconnect(oldest);
		pthread_mutex_lock(&pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

static struct pool *find_pool(const char *socket)
{
	struct pool *pool;

	LIST_FOREACH (pool, &pools, link)
		if (strcmp(pool->address.sun_path, socket) == 0)
			return pool;
	return NULL;
}

/* NULL after a failure. */
static struct pool *add_pool(const char *socket, struct pbs_failure *failure)
{
	struct pool *pool = calloc(1, sizeof(*pool));

	if (!pool) {
		pbs_fail(failure, PBS_REASON_RESOURCES, "no memory for the helper");
		return NULL;
	}
	pool->address.sun_family = AF_UNIX;
	strcpy(pool->address.sun_path, socket);
	TAILQ_INIT(&pool->idle);
	pthread_mutex_init(&pool->lock, NULL);
	pbs_condition_init(&pool->changed);
	if (pbs_thread_start(&pool->closer, close_idle, pool)) {
		free(pool);
		pbs_fail(failure, PBS_REASON_RESOURCES, "no thread for the helper");
		return NULL;
	}
	LIST_INSERT_HEAD(&pools, pool, link);
	return pool;
}

static struct pool *share_pool(const char *socket, struct pbs_failure *failure)
{
	struct pool *pool;

	pthread_mutex_lock(&lock);
	pool = find_pool(socket);
	if (!pool)
		pool = add_pool(socket, failure);
	if (pool)
		pool->users++;
	pthread_mutex_unlock(&lock);
	return pool;
}

static void close_pool(struct pool *pool)
{
	struct pbs_connection *connection;

	pthread_mutex_lock(&pool->lock);
	pool->closing = true;
	pthread_cond_signal(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
	pthread_join(pool->closer, NULL);
	while ((connection = take_idle(pool)))
		pbs_disconnect(connection);
	pthread_cond_destroy(&pool->changed);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

static void release_pool(struct pool *pool)
{
	bool last;

	pthread_mutex_lock(&lock);
	last = --pool->users == 0;
	if (last)
		LIST_REMOVE(pool, link);
	pthread_mutex_unlock(&lock);
	if (last)
		close_pool(pool);
}

/* --- reads ------------------------------------------------------------------------------------ */

/* Milliseconds from now to a time, at least 1 because 0 means never; 0 if there is no such time. */
static uint32_t ms_until(int64_t time, int64_t then)
{
	if (time == 0)
		return 0;
	return time - then < NS_PER_MS ? 1 : (uint32_t)((time - then) / NS_PER_MS);
}

/* NULL after a failure. A reader's deadline ends the wait for it, too; 0: it has none. */
static struct pbs_connection *connect_to(const struct pbs_helper *helper, int64_t deadline,
					 struct pbs_failure *failure)
{
	int64_t until = pbs_now() + CONNECT_NS;

	if (deadline && deadline < until)
		until = deadline;
	return pbs_connect(&helper->pool->address, helper->device, until, failure);
}

/* Reads one window. 0 and the reply; or -1 when the connection is no longer usable. */
static int read_window(struct pbs_helper *helper, struct pbs_connection *connection, int fd,
		       uint64_t length, uint64_t offset, const struct pbs_order *order,
		       struct pbs_helper_reply *reply, struct pbs_failure *failure)
{
	struct pbs_helper_request request = pbs_request(PBS_HELPER_READ, helper->device);
	int64_t now = pbs_now();

	request.offset = offset;
	request.length = length;
	request.level = order->level;
	request.timeout_ms = ms_until(order->deadline, now);
	request.raise_after_ms = ms_until(order->raise_at, now);
	return pbs_call(connection, &request, fd, order->deadline ? order->deadline + GRACE_NS : 0,
			reply, failure);
}

/* Reads window after window. Sets usable to whether the connection still is. */
static int64_t read_windows(struct pbs_helper *helper, struct pbs_connection *connection, int fd,
			    char *buffer, uint64_t length, uint64_t offset,
			    const struct pbs_order *order, struct pbs_served *served, bool *usable,
			    struct pbs_failure *failure)
{
	uint64_t done = 0;

	while (done < length) {
		uint64_t window = length - done;
		struct pbs_helper_reply reply;

		if (window > PBS_HELPER_BYTES)
			window = PBS_HELPER_BYTES;
		*usable = read_window(helper, connection, fd, window, offset + done, order, &reply,
				      failure) == 0;
		if (!*usable)
			return -1;
		served->commands += reply.commands;
		served->raised |= reply.raised;
		if (reply.result < 0) {
			*failure = reply.failure;
			return -1;
		}
		if ((uint64_t)reply.result > window) {
			*usable = false;
			return pbs_fail(failure, PBS_REASON_HELPER, "the helper: too many bytes");
		}
		memcpy(buffer + done, connection->bytes, (size_t)reply.result);
		done += (uint64_t)reply.result;
		if ((uint64_t)reply.result < window)
			break;
	}
	return (int64_t)done;
}

static int64_t read_connected(struct pbs_helper *helper, int fd, void *buffer, uint64_t length,
			      uint64_t offset, const struct pbs_order *order,
			      struct pbs_served *served, struct pbs_failure *failure)
{
	struct pbs_connection *connection = take_idle(helper->pool);
	bool fresh = !connection;
	bool usable;
	int64_t result;

	for (;;) {
		if (fresh)
			connection = connect_to(helper, order->deadline, failure);
		if (!connection)
			return -1;
		result = read_windows(helper, connection, fd, buffer, length, offset, order, served,
				      &usable, failure);
		if (usable) {
			put_idle(helper->pool, connection);
			return result;
		}
		pbs_disconnect(connection);
		/* The helper may have been restarted since an old connection was made. */
		if (fresh || failure->reason != PBS_REASON_HELPER)
			return result;
		fresh = true;
	}
}

int64_t pbs_helper_read(struct pbs_helper *helper, int fd, void *buffer, uint64_t length,
			uint64_t offset, const struct pbs_order *order, struct pbs_served *served,
			struct pbs_failure *failure)
{
	int64_t result;

	if (!pbs_places_take(&helper->reads, order->deadline))
		return pbs_fail(failure, PBS_REASON_TIMEOUT,
				"%d other reads at the helper did not end in time",
				PBS_HELPER_READS);
	result = read_connected(helper, fd, buffer, length, offset, order, served, failure);
	pbs_places_give(&helper->reads);
	return result;
}

/* --- volumes ---------------------------------------------------------------------------------- */

int pbs_helper_open(const char *socket, dev_t device, struct pbs_helper **helper,
		    struct pbs_failure *failure)
{
	struct pbs_helper *made;
	struct pbs_connection *connection;

	if (strlen(socket) >= sizeof(made->pool->address.sun_path))
		return pbs_fail(failure, PBS_REASON_HELPER, "%.100s...: the path is too long for a socket",
				socket);
	made = calloc(1, sizeof(*made));
	if (!made)
		return pbs_fail(failure, PBS_REASON_RESOURCES, "no memory for the helper");
	made->device = device;
	made->pool = share_pool(socket, failure);
	if (!made->pool) {
		free(made);
		return -1;
	}
	/* A new one, because its hello asks whether the helper serves this device. */
	connection = connect_to(made, 0, failure);
	if (!connection) {
		release_pool(made->pool);
		free(made);
		return -1;
	}
	pbs_places_init(&made->reads, PBS_HELPER_READS);
	put_idle(made->pool, connection);
	*helper = made;
	return 0;
}

void pbs_helper_close(struct pbs_helper *helper)
{
	if (!helper)
		return;
	release_pool(helper->pool);
	pbs_places_destroy(&helper->reads);
	free(helper);
}
