// SPDX-License-Identifier: Apache-2.0
/*
 * The program "hprio-pbsd": reads blocks of disks for processes that may not. It holds the disks open
 * and reads for a client only what a file that the client has open for reading holds. See README.md,
 * "The helper".
 */
#include "extent_file.h"
#include "helper_listen.h"
#include "helper_opener.h"
#include "helper_protocol.h"
#include "helper_rights.h"
#include "helper_settings.h"
#include "helper_socket.h"
#include "mapped_read.h"
#include "thread.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#define NS_PER_MS INT64_C(1000000)
/* Enough for a client with all volumes. */
#define MAX_CLIENTS (PBS_MAX_VOLUMES * PBS_HELPER_READS)
/* The socket, the memory, and the file of a request. */
#define CLIENT_DESCRIPTORS 3
/* The opener's socket, the partition and the nodes. */
#define VOLUME_DESCRIPTORS (2 + PBS_MAX_NODES)
/* Standard ones, the listener, signals, a client that is refused; and some more. */
#define OTHER_DESCRIPTORS 16
/* How long nobody is accepted when the system has nothing to do it with. */
#define PAUSE_MS 100

struct server {
	struct pbs_settings settings;
	int opener[PBS_MAX_VOLUMES]; /* of each volume; -1: its work is done */
	_Atomic(struct pbs_target *) target[PBS_MAX_VOLUMES]; /* NULL: not open */
	unsigned max_clients; /* 1 to MAX_CLIENTS */
	atomic_uint clients;
};

/* One connection, served by a thread. */
struct client {
	struct server *server;
	int socket;
	int memory; /* the client's memfd; -1 before hello */
	void *buffer; /* PBS_HELPER_BYTES */
};

/* --- requests --------------------------------------------------------------------------------- */

static const struct pbs_target *target_of(const struct server *server,
					  const struct pbs_helper_request *request)
{
	dev_t device = makedev(request->device_major, request->device_minor);

	for (unsigned i = 0; i < server->settings.volumes; i++) {
		const struct pbs_target *target = atomic_load(&server->target[i]);

		if (target && target->device == device)
			return target;
	}
	return NULL;
}

/*
 * This process writes to the memory with its own rights, so it must be memory and not e.g. a file of
 * procfs that checks who writes. Only memory has seals.
 */
static int accept_memory(struct client *client, int fd, struct pbs_failure *failure)
{
	if (client->memory >= 0 || fd < 0)
		return pbs_fail(failure, PBS_REASON_HELPER, "one hello, with memory, is allowed");
	if (fcntl(fd, F_GET_SEALS) < 0)
		return pbs_fail(failure, PBS_REASON_HELPER, "the memory is not a memfd");
	client->memory = dup(fd);
	if (client->memory < 0)
		return pbs_fail(failure, PBS_REASON_RESOURCES, "%s", strerror(errno));
	return 0;
}

static int check_read(const struct client *client, const struct pbs_helper_request *request,
		      struct pbs_failure *failure)
{
	if (client->memory < 0)
		return pbs_fail(failure, PBS_REASON_HELPER, "read before hello");
	if (request->length > PBS_HELPER_BYTES || request->offset > INT64_MAX - request->length ||
	    request->level > PBS_LEVEL_HIGH)
		return pbs_fail(failure, PBS_REASON_HELPER, "a number of the request is too large");
	return 0;
}

static int64_t serve_read(struct client *client, const struct pbs_target *target,
			  const struct pbs_helper_request *request, int fd,
			  struct pbs_served *served, struct pbs_failure *failure)
{
	int64_t now = pbs_now();
	struct pbs_order order = {
		.level = (enum pbs_level)request->level,
		.deadline = request->timeout_ms ? now + request->timeout_ms * NS_PER_MS : 0,
		.raise_at = request->raise_after_ms ? now + request->raise_after_ms * NS_PER_MS : 0,
		/*
		 * Never by the client's word: with its extents exchanged (EXT4_IOC_MOVE_EXT), a file has blocks
		 * that its data is not written to yet, and FIEMAP shows them as any others.
		 */
		.sync = true,
	};
	int64_t result;

	if (check_read(client, request, failure) ||
	    pbs_extent_file_check(fd, target->device, target->name, failure))
		return -1;
	result = pbs_mapped_read(target, fd, client->buffer, request->length, request->offset,
				 &order, served, failure);
	/* Only now are all bytes known to be the file's. */
	if (result > 0 && pwrite(client->memory, client->buffer, (size_t)result, 0) != result)
		return pbs_fail(failure, PBS_REASON_HELPER, "cannot write to the memory");
	return result;
}

static void serve(struct client *client, const struct pbs_helper_request *request, int fd,
		  struct pbs_helper_reply *reply)
{
	const struct pbs_target *target = target_of(client->server, request);
	struct pbs_served served = {0};

	if (!target)
		reply->result = pbs_fail(&reply->failure, PBS_REASON_VOLUME,
					 "the helper does not serve device %u:%u",
					 request->device_major, request->device_minor);
	else if (request->operation == PBS_HELPER_HELLO)
		reply->result = accept_memory(client, fd, &reply->failure);
	else
		reply->result =
			serve_read(client, target, request, fd, &served, &reply->failure);
	reply->commands = served.commands;
	reply->raised = served.raised;
}

static void *serve_client(void *argument)
{
	struct client *client = argument;
	struct pbs_helper_request request;
	int fd;

	while (pbs_socket_receive(client->socket, &request, sizeof(request), &fd) == 0) {
		struct pbs_helper_reply reply = {.magic = PBS_HELPER_MAGIC};
		bool known = request.magic == PBS_HELPER_MAGIC &&
			     (request.operation == PBS_HELPER_HELLO ||
			      request.operation == PBS_HELPER_READ);

		if (known)
			serve(client, &request, fd, &reply);
		if (fd >= 0)
			close(fd);
		if (!known || pbs_socket_send(client->socket, &reply, sizeof(reply), -1))
			break;
	}
	close(client->socket);
	if (client->memory >= 0)
		close(client->memory);
	atomic_fetch_sub(&client->server->clients, 1);
	free(client->buffer);
	free(client);
	return NULL;
}

/* --- connections ------------------------------------------------------------------------------ */

static int check_peer(const struct pbs_settings *settings, int socket, struct pbs_failure *failure)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		return pbs_fail(failure, PBS_REASON_HELPER, "SO_PEERCRED: %s", strerror(errno));
	if ((settings->allow_uid != PBS_NOT_GIVEN && peer.uid == settings->allow_uid) ||
	    (settings->allow_gid != PBS_NOT_GIVEN && peer.gid == settings->allow_gid))
		return 0;
	warnx("process %d of uid %u, gid %u: not allowed", (int)peer.pid, peer.uid, peer.gid);
	return pbs_fail(failure, PBS_REASON_RIGHTS,
			"the helper does not serve uid %u, gid %u: --allow-uid, --allow-gid",
			peer.uid, peer.gid);
}

static struct client *new_client(struct server *server, int socket)
{
	struct client *client = calloc(1, sizeof(*client));

	if (!client)
		return NULL;
	client->server = server;
	client->socket = socket;
	client->memory = -1;
	client->buffer = malloc(PBS_HELPER_BYTES);
	if (client->buffer)
		return client;
	free(client);
	return NULL;
}

static int start_client(struct server *server, int socket, struct pbs_failure *failure)
{
	struct client *client;
	pthread_t thread;

	if (check_peer(&server->settings, socket, failure))
		return -1;
	if (atomic_load(&server->clients) >= server->max_clients)
		return pbs_fail(failure, PBS_REASON_HELPER, "the helper has %u clients already",
				server->max_clients);
	client = new_client(server, socket);
	if (!client)
		return pbs_fail(failure, PBS_REASON_HELPER, "the helper has no memory");
	atomic_fetch_add(&server->clients, 1);
	if (pbs_thread_start(&thread, serve_client, client)) {
		atomic_fetch_sub(&server->clients, 1);
		free(client->buffer);
		free(client);
		return pbs_fail(failure, PBS_REASON_HELPER, "the helper has no thread");
	}
	pthread_detach(thread);
	return 0;
}

/* Unread data would make the client see a reset connection instead of the reason. */
static void refuse(int socket, const struct pbs_helper_reply *refusal)
{
	char rest;

	pbs_socket_send(socket, refusal, sizeof(*refusal), -1);
	shutdown(socket, SHUT_RD);
	while (recv(socket, &rest, sizeof(rest), MSG_DONTWAIT) > 0)
		;
	close(socket);
}

/* False: nobody can be accepted, because there are no descriptors or no memory. */
static bool accept_client(struct server *server, int listener)
{
	struct pbs_helper_reply refusal = {.magic = PBS_HELPER_MAGIC, .result = -1};
	int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (socket >= 0 && start_client(server, socket, &refusal.failure))
		refuse(socket, &refusal);
	return socket >= 0 || (errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != ENOBUFS);
}

/* --- volumes ---------------------------------------------------------------------------------- */

static void open_volumes(struct server *server, bool with_rawio)
{
	/* Nobody waits for the processes that open them. */
	signal(SIGCHLD, SIG_IGN);
	for (unsigned i = 0; i < server->settings.volumes; i++)
		server->opener[i] = pbs_opener_start(server->settings.path[i], with_rawio,
						     server->opener, i);
}

static void take_volume(struct server *server, unsigned volume)
{
	struct pbs_target *target;
	struct pbs_failure failure;

	if (pbs_opener_take(server->opener[volume], &target, &failure))
		warnx("%s: not served until a restart: %s", server->settings.path[volume], failure.text);
	else
		atomic_store(&server->target[volume], target);
	server->opener[volume] = -1;
}

/* --- start ------------------------------------------------------------------------------------ */

/* Until SIGTERM or SIGINT. */
static void serve_clients(struct server *server, int listener, int signals)
{
	struct pollfd waited[PBS_MAX_VOLUMES + 2];
	unsigned volumes = server->settings.volumes;
	bool accepts = true;

	do {
		/* Who cannot be accepted stays there, so that it would be told again at once. */
		waited[volumes] = (struct pollfd){.fd = accepts ? listener : -1, .events = POLLIN};
		waited[volumes + 1] = (struct pollfd){.fd = signals, .events = POLLIN};
		for (unsigned i = 0; i < volumes; i++)
			waited[i] = (struct pollfd){.fd = server->opener[i], .events = POLLIN};
		if (poll(waited, volumes + 2, accepts ? -1 : PAUSE_MS) < 0)
			continue;
		if (waited[volumes + 1].revents)
			return;
		/* First, since a client that comes after a volume was opened is to be served on it. */
		for (unsigned i = 0; i < volumes; i++)
			if (waited[i].revents)
				take_volume(server, i);
		accepts = !waited[volumes].revents || accept_client(server, listener);
	} while (true);
}

/* Raises the limit of descriptors, which is too low for many clients, as far as allowed: how many there may be then. */
static unsigned allow_clients(unsigned volumes)
{
	const rlim_t others = volumes * VOLUME_DESCRIPTORS + OTHER_DESCRIPTORS;
	const rlim_t wanted = MAX_CLIENTS * CLIENT_DESCRIPTORS + others;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		err(EXIT_FAILURE, "RLIMIT_NOFILE");
	if (limit.rlim_cur < wanted)
		limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		err(EXIT_FAILURE, "RLIMIT_NOFILE");
	if (limit.rlim_cur >= wanted)
		return MAX_CLIENTS;
	if (limit.rlim_cur < others + CLIENT_DESCRIPTORS)
		errx(EXIT_FAILURE, "the limit of descriptors (LimitNOFILE=) is %ju: at least %ju are needed",
		     (uintmax_t)limit.rlim_cur, (uintmax_t)(others + CLIENT_DESCRIPTORS));
	warnx("the limit of descriptors (LimitNOFILE=) is %ju: %ju clients at most, not %d",
	      (uintmax_t)limit.rlim_cur, (uintmax_t)((limit.rlim_cur - others) / CLIENT_DESCRIPTORS),
	      MAX_CLIENTS);
	return (unsigned)((limit.rlim_cur - others) / CLIENT_DESCRIPTORS);
}

static int catch_signals(void)
{
	sigset_t ends;
	int fd;

	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	fd = signalfd(-1, &ends, SFD_CLOEXEC);
	if (sigprocmask(SIG_BLOCK, &ends, NULL) || fd < 0)
		err(EXIT_FAILURE, "signals");
	return fd;
}

int main(int argc, char **argv)
{
	struct server server = {0};
	const struct pbs_settings *settings = &server.settings;
	const bool with_rawio = pbs_nodes_without_sg();
	struct pbs_failure failure;
	int listener;
	int signals;

	pbs_settings_parse(argc, argv, &server.settings);
	open_volumes(&server, with_rawio);
	listener = pbs_helper_listen(settings->socket, settings->allow_uid, settings->allow_gid,
				     MAX_CLIENTS, &failure);
	if (listener < 0)
		errx(EXIT_FAILURE, "%s", failure.text);
	signals = catch_signals();
	server.max_clients = allow_clients(settings->volumes);
	pbs_rights_drop(settings->user, settings->group, with_rawio);
	serve_clients(&server, listener, signals);
	/* Threads may be at work: what they use must stay until they end with the process. */
	_exit(EXIT_SUCCESS);
}
