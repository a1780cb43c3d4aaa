/*
 * The program "hprio-pbsd": reads blocks of disks for processes that may not. It holds the disks open
 * and reads for a client only what a file that the client has open for reading holds. See README.md,
 * "The helper".
 */
#include "extent_file.h"
#include "helper_protocol.h"
#include "helper_socket.h"
#include "mapped_read.h"
#include "number.h"
#include "survey.h"
#include "thread.h"

#include <argp.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#define NS_PER_MS INT64_C(1000000)
#define EXIT_USAGE 2
#define MAX_VOLUMES 64
/* Enough for a client with all volumes. */
#define MAX_CLIENTS (MAX_VOLUMES * PBS_HELPER_READS)
/* The socket, the memory, and the file of a request. */
#define CLIENT_DESCRIPTORS 3
#define OTHER_DESCRIPTORS 1024
#define NOBODY 65534
#define NOT_GIVEN ((uid_t)-1)

struct settings {
	const char *socket;
	uid_t allow_uid; /* NOT_GIVEN */
	gid_t allow_gid;
	uid_t user;
	gid_t group;
	unsigned volumes;
	const char *path[MAX_VOLUMES];
};

struct server {
	struct settings settings;
	unsigned targets;
	struct pbs_target *target[MAX_VOLUMES];
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

	for (unsigned i = 0; i < server->targets; i++)
		if (server->target[i]->device == device)
			return server->target[i];
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
		.sync = request->sync != 0,
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

static int check_peer(const struct settings *settings, int socket, struct pbs_failure *failure)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		return pbs_fail(failure, PBS_REASON_HELPER, "SO_PEERCRED: %s", strerror(errno));
	if ((settings->allow_uid != NOT_GIVEN && peer.uid == settings->allow_uid) ||
	    (settings->allow_gid != NOT_GIVEN && peer.gid == settings->allow_gid))
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
	if (atomic_load(&server->clients) == MAX_CLIENTS)
		return pbs_fail(failure, PBS_REASON_HELPER, "the helper has %d clients already",
				MAX_CLIENTS);
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

static void accept_client(struct server *server, int listener)
{
	struct pbs_helper_reply refusal = {.magic = PBS_HELPER_MAGIC, .result = -1};
	int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (socket >= 0 && start_client(server, socket, &refusal.failure))
		refuse(socket, &refusal);
}

/* Until SIGTERM or SIGINT. */
static void accept_clients(struct server *server, int listener, int signals)
{
	struct pollfd waited[] = {
		{.fd = listener, .events = POLLIN},
		{.fd = signals, .events = POLLIN},
	};

	while (poll(waited, 2, -1) >= 0 || errno == EINTR) {
		if (waited[1].revents)
			return;
		accept_client(server, listener);
	}
}

/* --- start ------------------------------------------------------------------------------------ */

/* Removes the socket of a helper that was killed, but none on which a process still listens. */
static void remove_left_socket(const struct sockaddr_un *address)
{
	struct stat status;
	int probe;

	if (lstat(address->sun_path, &status) || !S_ISSOCK(status.st_mode))
		return;
	probe = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (probe >= 0 && connect(probe, (const struct sockaddr *)address, sizeof(*address)) &&
	    errno == ECONNREFUSED)
		unlink(address->sun_path);
	close(probe);
}

static int listen_at(const struct settings *settings)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mode_t before;

	if (strlen(settings->socket) >= sizeof(address.sun_path))
		errx(EXIT_USAGE, "--socket=%s: the path is too long", settings->socket);
	strcpy(address.sun_path, settings->socket);
	remove_left_socket(&address);
	before = umask(0117);
	if (listener < 0 || bind(listener, (const struct sockaddr *)&address, sizeof(address)) ||
	    chown(settings->socket, settings->allow_uid, settings->allow_gid) ||
	    listen(listener, MAX_CLIENTS))
		err(EXIT_FAILURE, "--socket=%s", settings->socket);
	umask(before);
	return listener;
}

static void open_volume(struct server *server, const char *path)
{
	struct pbs_volume_info info;
	struct pbs_failure failure;
	struct hprio_mount mount;
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &status))
		err(EXIT_FAILURE, "%s", path);
	hprio_mount_of_file(fd, &mount);
	pbs_survey("/sys", "/proc", status.st_dev, &mount, &info);
	if (info.ncq_refused[0]) {
		warnx("%s: not served: %s", path, info.ncq_refused);
	} else if (pbs_target_open(&info, PBS_MAX_PIECES, &server->target[server->targets],
				   &failure)) {
		warnx("%s: not served: %s", path, failure.text);
	} else {
		server->targets++;
		warnx("%s: serves %s on %s", path, info.device, info.disk);
	}
	/* Until here it keeps the file system mounted. */
	close(fd);
}

/* The usual limit is too low for that many clients. It is raised as far as allowed; nothing else depends on it. */
static void allow_descriptors(void)
{
	const rlim_t wanted = MAX_CLIENTS * CLIENT_DESCRIPTORS + OTHER_DESCRIPTORS;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		err(EXIT_FAILURE, "RLIMIT_NOFILE");
	if (limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		err(EXIT_FAILURE, "RLIMIT_NOFILE");
}

/* Keeps only the right to send commands, where the open nodes need it. No thread runs yet. */
static void drop_rights(const struct server *server)
{
	const struct settings *settings = &server->settings;
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3] = {0};
	bool rawio = false;

	for (unsigned i = 0; i < server->targets; i++)
		rawio |= pbs_target_needs_rawio(server->target[i]);
	if (rawio)
		rights[0].permitted = rights[0].effective = 1u << CAP_SYS_RAWIO;
	if (prctl(PR_SET_KEEPCAPS, 1) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		err(EXIT_FAILURE, "prctl");
	if (geteuid() == 0 && (setgroups(0, NULL) || setresgid(settings->group, settings->group,
							       settings->group) ||
			       setresuid(settings->user, settings->user, settings->user)))
		err(EXIT_FAILURE, "--user=%u:%u", settings->user, settings->group);
	if (syscall(SYS_capset, &header, rights))
		err(EXIT_FAILURE, "capset");
	if (prctl(PR_SET_DUMPABLE, 0))
		err(EXIT_FAILURE, "prctl");
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

/* --- arguments -------------------------------------------------------------------------------- */

/* An id of a user or group. Names are not looked up: that would load libraries into this program. */
static unsigned parse_id(struct argp_state *state, const char *option, const char *text)
{
	return (unsigned)hprio_whole_option(state, option, text, 0, NOT_GIVEN - 1);
}

static void parse_user(struct argp_state *state, char *text, struct settings *settings)
{
	char *colon = strchr(text, ':');

	if (!colon)
		argp_error(state, "--user=%s: allowed is UID:GID", text);
	*colon = '\0';
	settings->user = parse_id(state, "user", text);
	settings->group = parse_id(state, "user", colon + 1);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case 's':
		settings->socket = argument;
		return 0;
	case 'u':
		settings->allow_uid = parse_id(state, "allow-uid", argument);
		return 0;
	case 'g':
		settings->allow_gid = parse_id(state, "allow-gid", argument);
		return 0;
	case 'r':
		parse_user(state, argument, settings);
		return 0;
	case ARGP_KEY_ARG:
		if (settings->volumes == MAX_VOLUMES)
			argp_error(state, "%s: at most %d volumes", argument, MAX_VOLUMES);
		settings->path[settings->volumes++] = argument;
		return 0;
	case ARGP_KEY_END:
		if (!settings->socket)
			argp_error(state, "--socket is missing");
		if (settings->allow_uid == NOT_GIVEN && settings->allow_gid == NOT_GIVEN)
			argp_error(state, "--allow-uid or --allow-gid is missing");
		if (settings->volumes == 0)
			argp_error(state, "a VOLUME is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"socket", 's', "PATH", 0, "Where clients connect", 0},
		{"allow-uid", 'u', "UID", 0, "Serve clients of this user", 0},
		{"allow-gid", 'g', "GID", 0, "Serve clients with this primary group", 0},
		{"user", 'r', "UID:GID", 0,
		 "User and group to run as once the disks are open, default 65534:65534", 0},
		{0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "VOLUME...",
		.doc = "Reads blocks of files with NCQ priority for processes that may not send commands "
		       "to disks.\vVOLUME: any path on it, e.g. a directory of dfs.datanode.data.dir. "
		       "A client is served only for files that it has open for reading. Runs in the "
		       "foreground until SIGTERM.",
	};
	struct server server = {.settings = {.allow_uid = NOT_GIVEN,
					     .allow_gid = NOT_GIVEN,
					     .user = NOBODY,
					     .group = NOBODY}};
	int listener;
	int signals;

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &server.settings);
	for (unsigned i = 0; i < server.settings.volumes; i++)
		open_volume(&server, server.settings.path[i]);
	if (server.targets == 0)
		errx(EXIT_FAILURE, "no VOLUME can be served");
	listener = listen_at(&server.settings);
	signals = catch_signals();
	allow_descriptors();
	drop_rights(&server);
	accept_clients(&server, listener, signals);
	/* Threads may be at work: what they use must stay until they end with the process. */
	_exit(EXIT_SUCCESS);
}
