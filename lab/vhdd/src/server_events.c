// SPDX-License-Identifier: Apache-2.0
/* The daemon's event loop, on as many threads as there are waiters. */
#include "server_parts.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define WAITER_STACK_BYTES (1 << 20)

static void arm_drive_timer(struct vhdd_server *server)
{
	int64_t due_ns = vhdd_drive_deadline_ns(server->drive);
	struct itimerspec timer = {0};

	if (due_ns == server->armed_ns)
		return;
	server->armed_ns = due_ns;
	if (due_ns != INT64_MAX) {
		/* All zero would disarm the timer; overdue work is done before this is called. */
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

static void stop(struct vhdd_server *server)
{
	server->stop = true;
	eventfd_write(server->stopped, 1);
}

static void serve_requests(struct vhdd_server *server)
{
	int result;

	do {
		result = vhdd_image_fs_serve(server->fs);
		/* A burst of requests must not delay answers that are due. */
		vhdd_drive_advance(server->drive, vhdd_server_now_ns());
	} while (result > 0);
	if (result < 0) {
		vhdd_log(WRITER, "the filesystem was unmounted or aborted");
		stop(server);
	}
}

static void beat(struct vhdd_server *server)
{
	clear_timer(server->heartbeat_timer);
	eventfd_write(server->options->heartbeat, 1);
}

static void on_signal(struct vhdd_server *server)
{
	struct signalfd_siginfo info;

	if (read(server->signals, &info, sizeof(info)) == sizeof(info))
		stop(server);
}

static void dispatch(struct vhdd_server *server, int file)
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
	struct vhdd_server *server = waiter->server;
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
	struct vhdd_server *server = waiter->server;
	struct epoll_event events[8];
	int count;

	if (pthread_setaffinity_np(pthread_self(), sizeof(waiter->cpus), &waiter->cpus))
		vhdd_log(WRITER, "cannot choose CPUs; answers may come late");
	pthread_mutex_lock(&server->lock);
	while (!server->stop) {
		vhdd_drive_advance(server->drive, vhdd_server_now_ns());
		arm_drive_timer(server);
		if (!wait_for_events(waiter, events, sizeof(events) / sizeof(events[0]), &count)) {
			stop(server);
			break;
		}
		vhdd_drive_advance(server->drive, vhdd_server_now_ns());
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

void vhdd_server_loop(struct vhdd_server *server)
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

static int watch(struct waiter *waiter, int file)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = file};

	return epoll_ctl(waiter->epoll, EPOLL_CTL_ADD, file, &event);
}

static int open_waiter(struct vhdd_server *server, struct waiter *waiter)
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

/* Opens as many as there are CPUs for; each gets a share of the CPUs that we may use. */
static int open_waiters(struct vhdd_server *server)
{
	cpu_set_t allowed;
	int next = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return -1;
	server->waiter_count = CPU_COUNT(&allowed) < MAX_WAITERS ? CPU_COUNT(&allowed) : MAX_WAITERS;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			CPU_SET(cpu, &server->waiters[next++ % server->waiter_count].cpus);
	for (int i = 0; i < server->waiter_count; i++)
		if (open_waiter(server, &server->waiters[i]))
			return -1;
	return 0;
}

int vhdd_server_open_events(struct vhdd_server *server)
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
