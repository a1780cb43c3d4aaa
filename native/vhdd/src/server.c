#include "server.h"

#include "backing.h"
#include "control.h"
#include "drive.h"
#include "image_fs.h"
#include "issue_probe.h"
#include "log.h"
#include "process.h"
#include "stats.h"

#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define WRITER "daemon"
#define NS_PER_S 1000000000LL
#define NS_PER_MS 1000000LL

/* Where the median of copies is looked for first: 3 GB/s, and by which part it is corrected. */
#define COPY_NS_PER_BYTE 0.3
#define COPY_STEP (1.0 / 64)
/* Of shorter answers the copy is the least part. */
#define COPY_BYTES_MIN 65536

#define WAITERS_MAX 2
#define WAITER_STACK_BYTES (1 << 20)

/* Keys of "set" that are not of the model. */
#define KEY_TIMED "timed"
#define KEY_REGIONS "regions"

/* One read or write, from its arrival to its answer. */
struct io {
	struct vhdd_request request; /* first: the drive gives it back by this pointer */
	fuse_req_t reply;
	int error; /* of its data, 0 or -errno */
};

struct server;

/*
 * A thread that waits for events, on CPUs of its own. A kernel without preemption lets a real-time
 * thread wait until what runs on its CPU leaves the kernel, which can take milliseconds. Two CPUs are
 * seldom held up at the same moment, so there are two waiters for the same events: whichever comes
 * first does the work, the other finds nothing left to do.
 */
struct waiter {
	struct server *server;
	int epoll;
	cpu_set_t cpus;
	pthread_t thread; /* unused for the first, which is the main thread */
};

struct server {
	const struct vhdd_server_options *options;
	struct waiter waiters[WAITERS_MAX];
	int waiter_count;
	/* Held by a waiter unless it waits; guards all that follows. */
	pthread_mutex_t lock;
	int backing;
	int drive_timer;
	int heartbeat_timer;
	int signals;
	int stopped; /* an eventfd, readable when the waiters are to end */
	int64_t armed_ns; /* what drive_timer is set to */
	bool stop;
	char device[32];
	struct vhdd_image_fs *fs;
	struct vhdd_issue_probe *probe;
	struct vhdd_drive *drive;
	struct vhdd_stats *stats;
	struct vhdd_control *control;
	/* Data of the one read in service. */
	char data[VHDD_IMAGE_MAX_REQUEST];
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* --- requests ----------------------------------------------------------------------------------- */

static void on_start(void *context, struct vhdd_request *request)
{
	struct server *server = context;
	struct io *io = (struct io *)request;

	/* Now and not when it is finished, so that the answer is not late by the time to copy. */
	if (!request->write)
		io->error = vhdd_backing_read(server->backing, server->data, request->length,
					      request->offset);
}

/*
 * The kernel copies the data of an answer before it gives it to whoever waits, so that must begin
 * before the answer is due. How long it takes is the machine's: this follows the median, as a copy
 * into memory that a virtual machine's host must first provide takes ten times as long.
 */
static void copied(struct server *server, uint32_t length, int64_t copy_ns)
{
	double cost = vhdd_drive_answer_cost(server->drive);
	bool longer = (double)copy_ns > cost * length;

	vhdd_drive_set_answer_cost(server->drive, cost * (longer ? 1 + COPY_STEP : 1 - COPY_STEP));
}

static void answer_read(struct server *server, const struct io *io)
{
	int64_t begin_ns = now_ns();

	fuse_reply_buf(io->reply, server->data, io->request.length);
	if (io->request.length >= COPY_BYTES_MIN)
		copied(server, io->request.length, now_ns() - begin_ns);
}

static void on_finish(void *context, struct vhdd_request *request)
{
	struct server *server = context;
	struct io *io = (struct io *)request;

	if (io->error) {
		fuse_reply_err(io->reply, -io->error);
		vhdd_stats_failed(server->stats);
	} else if (request->write) {
		fuse_reply_write(io->reply, request->length);
	} else {
		answer_read(server, io);
	}
	vhdd_stats_answered(server->stats, request, now_ns(), vhdd_drive_timed(server->drive));
	free(io);
}

static void submit(struct server *server, fuse_req_t reply, uint64_t offset, uint32_t length,
		   const char *data)
{
	struct io *io = calloc(1, sizeof(*io));
	enum vhdd_issue_match match;
	int error = -ENOMEM;

	if (length > VHDD_IMAGE_MAX_REQUEST) {
		error = -EINVAL;
	} else if (io) {
		io->reply = reply;
		io->request.offset = offset;
		io->request.length = length;
		io->request.write = data != NULL;
		match = vhdd_issue_probe_find(server->probe, offset, length, io->request.write,
					      &io->request.ioprio);
		vhdd_stats_arrived(server->stats, &io->request, match);
		/* The data is only lent to us until we return. */
		if (data)
			io->error = vhdd_backing_write(server->backing, data, length, offset);
		vhdd_stats_held(server->stats, vhdd_drive_held(server->drive) + 1);
		error = vhdd_drive_submit(server->drive, &io->request, now_ns());
	}
	if (error) {
		fuse_reply_err(reply, -error);
		vhdd_stats_failed(server->stats);
		free(io);
	}
}

static void on_read(void *context, fuse_req_t reply, uint64_t offset, uint32_t length)
{
	submit(context, reply, offset, length, NULL);
}

static void on_write(void *context, fuse_req_t reply, uint64_t offset, uint32_t length,
		     const char *data)
{
	submit(context, reply, offset, length, data);
}

static int on_allocate(void *context, int mode, off_t offset, off_t length)
{
	struct server *server = context;

	return vhdd_backing_allocate(server->backing, mode, offset, length);
}

/* --- control ------------------------------------------------------------------------------------ */

/* What a "set" changes, applied as a whole or not at all. */
struct change {
	struct vhdd_params params;
	bool timed;
	bool set_regions;
	unsigned int regions;
};

static json_t *parse_count(const char *key, const char *value, unsigned int max,
			   unsigned int *count)
{
	char *end;
	unsigned long parsed = strtoul(value, &end, 10);

	if (*value < '0' || *value > '9' || *end || parsed > max)
		return vhdd_control_error("%s=%s: allowed is a whole number from 0 to %u", key,
					  value, max);
	*count = (unsigned int)parsed;
	return NULL;
}

/* NULL, or the error reply. */
static json_t *parse_assignment(struct change *change, const char *assignment)
{
	char key[64];
	char error[512];
	const char *equals = strchr(assignment, '=');
	size_t length = equals ? (size_t)(equals - assignment) : 0;
	const struct vhdd_param_info *info;
	unsigned int timed = change->timed;
	json_t *reply;

	if (length == 0 || length >= sizeof(key))
		return vhdd_control_error("\"%s\": expected key=value", assignment);
	memcpy(key, assignment, length);
	key[length] = '\0';
	if (strcmp(key, KEY_TIMED) == 0) {
		reply = parse_count(key, equals + 1, 1, &timed);
		change->timed = timed;
		return reply;
	}
	if (strcmp(key, KEY_REGIONS) == 0) {
		change->set_regions = true;
		return parse_count(key, equals + 1, VHDD_REGIONS_MAX, &change->regions);
	}
	info = vhdd_params_find(key);
	if (info && !info->live)
		return vhdd_control_error("%s cannot change while the disk is in use: give it to "
					  "create", key);
	if (vhdd_params_assign(&change->params, assignment, error, sizeof(error)))
		return vhdd_control_error("%s", error);
	return NULL;
}

static json_t *apply(struct server *server, const struct change *change)
{
	int error;

	vhdd_drive_advance(server->drive, now_ns());
	vhdd_drive_set_params(server->drive, &change->params);
	error = vhdd_drive_set_timed(server->drive, change->timed, now_ns());
	if (error)
		return vhdd_control_error("%s: %s", KEY_TIMED, strerror(-error));
	if (change->set_regions)
		vhdd_stats_set_regions(server->stats, change->regions);
	return vhdd_control_ok();
}

static json_t *handle_set(struct server *server, const json_t *request)
{
	struct change change = {.params = *vhdd_drive_params(server->drive),
				.timed = vhdd_drive_timed(server->drive)};
	const json_t *assignments = json_object_get(request, "assignments");
	char error[512];

	for (size_t i = 0; i < json_array_size(assignments); i++) {
		const char *assignment = json_string_value(json_array_get(assignments, i));
		json_t *reply = assignment ? parse_assignment(&change, assignment)
					   : vhdd_control_error("expected \"key=value\"");

		if (reply)
			return reply;
	}
	if (vhdd_params_check(&change.params, error, sizeof(error)))
		return vhdd_control_error("%s", error);
	return apply(server, &change);
}

static json_t *handle_stats(struct server *server, const json_t *request)
{
	uint64_t lost = vhdd_issue_probe_lost(server->probe);
	json_t *stats = vhdd_stats_to_json(server->stats, now_ns(), lost);
	json_t *reply = json_pack("{s:b, s:s, s:s, s:b, s:I, s:o}", "ok", 1, "name",
				  server->options->paths->name, "device", server->device,
				  KEY_TIMED, (int)vhdd_drive_timed(server->drive), "memory_bytes",
				  (json_int_t)vhdd_backing_used(server->backing), "parameters",
				  vhdd_params_to_json(vhdd_drive_params(server->drive)));

	if (reply && json_object_update_new(reply, stats)) {
		json_decref(reply);
		return NULL;
	}
	if (json_is_true(json_object_get(request, "reset")))
		vhdd_stats_reset(server->stats, now_ns(), lost);
	return reply;
}

static json_t *handle_watch(struct server *server, const json_t *request)
{
	const char *device;
	int major;
	int minor;

	if (json_unpack((json_t *)request, "{s:s, s:i, s:i}", "device", &device, "major", &major,
			"minor", &minor))
		return vhdd_control_error("expected device, major and minor");
	strncpy(server->device, device, sizeof(server->device) - 1);
	vhdd_issue_probe_watch(server->probe, major, minor);
	return vhdd_control_ok();
}

static json_t *on_control(void *context, const json_t *request)
{
	static const struct {
		const char *name;
		json_t *(*handle)(struct server *server, const json_t *request);
	} operations[] = {{"set", handle_set}, {"stats", handle_stats}, {"watch", handle_watch}};
	const char *name = json_string_value(json_object_get(request, "operation"));

	for (size_t i = 0; name && i < sizeof(operations) / sizeof(operations[0]); i++)
		if (strcmp(name, operations[i].name) == 0)
			return operations[i].handle(context, request);
	return vhdd_control_error("unknown operation \"%s\"", name ? name : "");
}

/* --- event loop --------------------------------------------------------------------------------- */

static void arm_drive_timer(struct server *server)
{
	int64_t due_ns = vhdd_drive_deadline_ns(server->drive);
	struct itimerspec timer = {0};

	if (due_ns == server->armed_ns)
		return;
	server->armed_ns = due_ns;
	if (due_ns != INT64_MAX) {
		/* All zero would disarm it; what is overdue is served before this is called. */
		due_ns = due_ns > 0 ? due_ns : 1;
		timer.it_value.tv_sec = due_ns / NS_PER_S;
		timer.it_value.tv_nsec = due_ns % NS_PER_S;
	}
	timerfd_settime(server->drive_timer, TFD_TIMER_ABSTIME, &timer, NULL);
}

static void clear_timer(int timer)
{
	uint64_t expirations;

	if (read(timer, &expirations, sizeof(expirations)) < 0 && errno != EAGAIN)
		vhdd_log(WRITER, "timer: %s", strerror(errno));
}

static void stop(struct server *server)
{
	server->stop = true;
	eventfd_write(server->stopped, 1);
}

static void serve_requests(struct server *server)
{
	int result;

	do {
		result = vhdd_image_fs_serve(server->fs);
		/* A burst of requests must not delay answers that are due. */
		vhdd_drive_advance(server->drive, now_ns());
	} while (result > 0);
	if (result < 0) {
		vhdd_log(WRITER, "the filesystem was unmounted or aborted");
		stop(server);
	}
}

static void beat(struct server *server)
{
	clear_timer(server->heartbeat_timer);
	eventfd_write(server->options->heartbeat, 1);
}

static void on_signal(struct server *server)
{
	struct signalfd_siginfo info;

	if (read(server->signals, &info, sizeof(info)) == sizeof(info))
		stop(server);
}

static void dispatch(struct server *server, int file)
{
	if (file == server->drive_timer)
		clear_timer(file);
	else if (file == vhdd_image_fs_fd(server->fs))
		serve_requests(server);
	else if (file == vhdd_control_fd(server->control))
		vhdd_control_serve(server->control);
	else if (file == server->heartbeat_timer)
		beat(server);
	else if (file == server->signals)
		on_signal(server);
}

/* Waits without the lock. False when waiting is not possible. */
static bool wait_for_events(struct waiter *waiter, struct epoll_event *events, int size, int *count)
{
	struct server *server = waiter->server;
	int error;

	pthread_mutex_unlock(&server->lock);
	*count = epoll_wait(waiter->epoll, events, size, -1);
	error = errno;
	pthread_mutex_lock(&server->lock);
	if (*count >= 0 || error == EINTR)
		return true;
	vhdd_log(WRITER, "epoll: %s", strerror(error));
	return false;
}

static void *loop(void *context)
{
	struct waiter *waiter = context;
	struct server *server = waiter->server;
	struct epoll_event events[8];
	int count;

	if (pthread_setaffinity_np(pthread_self(), sizeof(waiter->cpus), &waiter->cpus))
		vhdd_log(WRITER, "cannot choose CPUs; answers may come late");
	pthread_mutex_lock(&server->lock);
	while (!server->stop) {
		vhdd_drive_advance(server->drive, now_ns());
		arm_drive_timer(server);
		if (!wait_for_events(waiter, events, sizeof(events) / sizeof(events[0]), &count)) {
			stop(server);
			break;
		}
		vhdd_drive_advance(server->drive, now_ns());
		for (int i = 0; i < count; i++)
			dispatch(server, events[i].data.fd);
	}
	pthread_mutex_unlock(&server->lock);
	return NULL;
}

static int start_waiter(struct waiter *waiter)
{
	pthread_attr_t attributes;
	int error = pthread_attr_init(&attributes);

	if (error)
		return error;
	/* All of it is locked in memory. */
	pthread_attr_setstacksize(&attributes, WAITER_STACK_BYTES);
	error = pthread_create(&waiter->thread, &attributes, loop, waiter);
	pthread_attr_destroy(&attributes);
	return error;
}

static void serve(struct server *server)
{
	int started;
	int error = 0;

	for (started = 1; started < server->waiter_count; started++) {
		error = start_waiter(&server->waiters[started]);
		if (error) {
			vhdd_log(WRITER, "cannot start a thread (%s); answers may come late",
				 strerror(error));
			break;
		}
	}
	loop(&server->waiters[0]);
	for (int i = 1; i < started; i++)
		pthread_join(server->waiters[i].thread, NULL);
}

/* --- start and end ------------------------------------------------------------------------------ */

static int watch(struct waiter *waiter, int file)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = file};

	return epoll_ctl(waiter->epoll, EPOLL_CTL_ADD, file, &event);
}

static int open_waiter(struct server *server, struct waiter *waiter)
{
	const int files[] = {server->drive_timer, server->heartbeat_timer, server->signals,
			     server->stopped, vhdd_image_fs_fd(server->fs),
			     vhdd_control_fd(server->control)};

	waiter->server = server;
	waiter->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (waiter->epoll < 0)
		return -1;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (watch(waiter, files[i]))
			return -1;
	return 0;
}

/* As many as there are CPUs for, each with its part of those we may use. */
static int open_waiters(struct server *server)
{
	cpu_set_t allowed;
	int next = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return -1;
	server->waiter_count = CPU_COUNT(&allowed) < WAITERS_MAX ? CPU_COUNT(&allowed) : WAITERS_MAX;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			CPU_SET(cpu, &server->waiters[next++ % server->waiter_count].cpus);
	for (int i = 0; i < server->waiter_count; i++)
		if (open_waiter(server, &server->waiters[i]))
			return -1;
	return 0;
}

static int open_events(struct server *server)
{
	struct itimerspec interval = {
		.it_value.tv_nsec = 1,
		.it_interval.tv_sec = VHDD_HEARTBEAT_INTERVAL_MS / 1000,
		.it_interval.tv_nsec = VHDD_HEARTBEAT_INTERVAL_MS % 1000 * NS_PER_MS,
	};
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	server->armed_ns = INT64_MAX;
	server->stopped = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	server->drive_timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	server->heartbeat_timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	server->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (server->stopped < 0 || server->drive_timer < 0 || server->heartbeat_timer < 0 ||
	    server->signals < 0 || timerfd_settime(server->heartbeat_timer, 0, &interval, NULL) ||
	    open_waiters(server)) {
		warn("event loop");
		return -1;
	}
	return 0;
}

/*
 * Keeps the daemon from waiting for the disk that it is itself: when memory is short, the kernel must
 * not write dirty pages to this disk on the daemon's behalf.
 */
static void become_io_flusher(void)
{
	if (prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0))
		vhdd_log(WRITER, "PR_SET_IO_FLUSHER: %s (needs CAP_SYS_RESOURCE); leave memory free: "
			 "when it runs out, the disk may hang until the watchdog aborts it",
			 strerror(errno));
}

/* Makes answers come in time. */
static int become_real_time(void)
{
	struct sched_param priority = {.sched_priority = 1};

	if (prctl(PR_SET_TIMERSLACK, 1) || mlockall(MCL_CURRENT | MCL_FUTURE) ||
	    sched_setscheduler(0, SCHED_FIFO, &priority)) {
		warn("cannot become a real-time process that is locked in memory (needs "
		     "CAP_SYS_NICE and CAP_IPC_LOCK)");
		return -1;
	}
	return 0;
}

static int start(struct server *server)
{
	const struct vhdd_paths *paths = server->options->paths;
	const struct vhdd_params *params = &server->options->params;
	const struct vhdd_drive_events events = {
		.start = on_start, .finish = on_finish, .context = server};
	const struct vhdd_image_handler handler = {
		.read = on_read, .write = on_write, .allocate = on_allocate, .context = server};
	int error = vhdd_pidfile_claim(paths->daemon_pid);

	if (error) {
		warnx("cannot lock %s: %s", paths->daemon_pid, strerror(-error));
		return -1;
	}
	server->backing = vhdd_backing_new(params->size_bytes);
	if (server->backing < 0) {
		warnx("cannot make %ju bytes of memory: %s", (uintmax_t)params->size_bytes,
		      strerror(-server->backing));
		return -1;
	}
	server->drive = vhdd_drive_new(params, &events);
	server->stats = vhdd_stats_new(params->size_bytes, now_ns());
	if (!server->drive || !server->stats) {
		warn("drive model");
		return -1;
	}
	vhdd_drive_set_answer_cost(server->drive, COPY_NS_PER_BYTE);
	server->probe = vhdd_issue_probe_new();
	if (!server->probe)
		return -1;
	server->control = vhdd_control_listen(paths->socket, on_control, server);
	if (!server->control) {
		warn("cannot listen on %s", paths->socket);
		return -1;
	}
	server->fs = vhdd_image_fs_mount(paths->mount, params->size_bytes, &handler);
	if (!server->fs || open_events(server) || become_real_time())
		return -1;
	return 0;
}

static int tell_ready(struct server *server)
{
	int error = vhdd_process_log_to(server->options->paths->log);

	if (error || write(server->options->ready, "", 1) != 1) {
		warnx("cannot start to log to %s", server->options->paths->log);
		return -1;
	}
	close(server->options->ready);
	close(server->options->lock);
	return 0;
}

static void end(struct server *server)
{
	/* Answers what the drive still holds: without a reply its FUSE request would leak. */
	if (server->drive)
		vhdd_drive_set_timed(server->drive, false, now_ns());
	vhdd_image_fs_close(server->fs);
	vhdd_control_close(server->control);
	vhdd_issue_probe_free(server->probe);
	vhdd_stats_free(server->stats);
	vhdd_drive_free(server->drive);
}

int vhdd_server_run(const struct vhdd_server_options *options)
{
	struct server *server = calloc(1, sizeof(*server));
	int status = EXIT_FAILURE;

	if (!server) {
		warn("daemon");
		return EXIT_FAILURE;
	}
	server->options = options;
	server->backing = -1;
	pthread_mutex_init(&server->lock, NULL);
	if (start(server) == 0 && tell_ready(server) == 0) {
		vhdd_log(WRITER, "serving %s", options->paths->image);
		become_io_flusher();
		serve(server);
		vhdd_log(WRITER, "ended");
		status = EXIT_SUCCESS;
	}
	end(server);
	free(server);
	return status;
}
