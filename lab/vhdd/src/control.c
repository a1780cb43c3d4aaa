// SPDX-License-Identifier: Apache-2.0
#include "control.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define CLIENTS 16
#define REQUEST_BYTES 16384
/* More than the longest reply, so that sending it never waits. */
#define REPLY_BYTES (1 << 20)

struct client {
	int socket; /* -1: free */
	size_t length;
	char request[REQUEST_BYTES];
};

struct vhdd_control {
	int epoll;
	int listener;
	vhdd_control_handler handler;
	void *context;
	struct client clients[CLIENTS];
};

json_t *vhdd_control_ok(void)
{
	return json_pack("{s:b}", "ok", 1);
}

json_t *vhdd_control_error(const char *format, ...)
{
	va_list arguments;
	json_t *text;

	va_start(arguments, format);
	text = json_vsprintf(format, arguments);
	va_end(arguments);
	return json_pack("{s:b, s:o}", "ok", 0, "error", text);
}

static int address_of(struct sockaddr_un *address, const char *path)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(address->sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address->sun_path, path, strlen(path) + 1);
	return 0;
}

static int listen_on(const char *path)
{
	struct sockaddr_un address;
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (listener < 0)
		return -1;
	if (address_of(&address, path) ||
	    bind(listener, (struct sockaddr *)&address, sizeof(address)) || chmod(path, 0600) ||
	    listen(listener, CLIENTS)) {
		int error = errno;

		close(listener);
		errno = error;
		return -1;
	}
	return listener;
}

static int watch(int epoll, int file, void *data)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = data};

	return epoll_ctl(epoll, EPOLL_CTL_ADD, file, &event);
}

struct vhdd_control *vhdd_control_listen(const char *path, vhdd_control_handler handler,
					 void *context)
{
	struct vhdd_control *control = calloc(1, sizeof(*control));

	if (!control)
		return NULL;
	control->handler = handler;
	control->context = context;
	for (size_t i = 0; i < CLIENTS; i++)
		control->clients[i].socket = -1;
	control->epoll = epoll_create1(EPOLL_CLOEXEC);
	control->listener = listen_on(path);
	if (control->epoll < 0 || control->listener < 0 ||
	    watch(control->epoll, control->listener, NULL)) {
		int error = errno;

		vhdd_control_close(control);
		errno = error;
		return NULL;
	}
	return control;
}

static void hang_up(struct client *client)
{
	if (client->socket >= 0)
		close(client->socket);
	client->socket = -1;
	client->length = 0;
}

void vhdd_control_close(struct vhdd_control *control)
{
	if (!control)
		return;
	for (size_t i = 0; i < CLIENTS; i++)
		hang_up(&control->clients[i]);
	if (control->listener >= 0)
		close(control->listener);
	if (control->epoll >= 0)
		close(control->epoll);
	free(control);
}

int vhdd_control_fd(const struct vhdd_control *control)
{
	return control->epoll;
}

static void take_client(struct vhdd_control *control)
{
	int size = REPLY_BYTES;
	int socket = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (socket < 0)
		return;
	setsockopt(socket, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size));
	for (size_t i = 0; i < CLIENTS; i++) {
		struct client *client = &control->clients[i];

		if (client->socket >= 0)
			continue;
		client->socket = socket;
		client->length = 0;
		if (watch(control->epoll, socket, client))
			hang_up(client);
		return;
	}
	close(socket);
}

static bool send_line(int socket, const json_t *object)
{
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
	size_t length = text ? strlen(text) : 0;
	bool sent;

	if (!text)
		return false;
	text[length] = '\n'; /* in place of the end of the string */
	sent = send(socket, text, length + 1, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length + 1;
	free(text);
	return sent;
}

static bool answer(struct vhdd_control *control, struct client *client, size_t length)
{
	json_error_t problem;
	json_t *request = json_loadb(client->request, length, 0, &problem);
	json_t *reply = request ? control->handler(control->context, request)
				: vhdd_control_error("not a JSON object: %s", problem.text);
	bool sent = send_line(client->socket, reply);

	json_decref(reply);
	json_decref(request);
	return sent;
}

static void serve_client(struct vhdd_control *control, struct client *client)
{
	ssize_t length = recv(client->socket, client->request + client->length,
			      REQUEST_BYTES - client->length, MSG_DONTWAIT);
	char *end;

	if (length < 0 && errno == EAGAIN)
		return;
	if (length <= 0) {
		hang_up(client);
		return;
	}
	client->length += (size_t)length;
	while ((end = memchr(client->request, '\n', client->length))) {
		size_t used = (size_t)(end - client->request) + 1;

		if (!answer(control, client, used)) {
			hang_up(client);
			return;
		}
		client->length -= used;
		memmove(client->request, client->request + used, client->length);
	}
	if (client->length == REQUEST_BYTES)
		hang_up(client);
}

void vhdd_control_serve(struct vhdd_control *control)
{
	struct epoll_event events[CLIENTS + 1];
	int count = epoll_wait(control->epoll, events, CLIENTS + 1, 0);

	for (int i = 0; i < count; i++) {
		if (events[i].data.ptr)
			serve_client(control, events[i].data.ptr);
		else
			take_client(control);
	}
}

static json_t *read_reply(int socket)
{
	FILE *stream = fdopen(socket, "r");
	json_t *reply = NULL;
	char *line = NULL;
	size_t size = 0;

	if (!stream) {
		close(socket);
		return NULL;
	}
	errno = 0;
	if (getline(&line, &size, stream) > 0)
		reply = json_loads(line, 0, NULL);
	if (!reply)
		errno = errno == EAGAIN ? ETIMEDOUT : errno ? errno : EPROTO;
	free(line);
	fclose(stream);
	return reply;
}

json_t *vhdd_control_call(const char *path, json_t *request, int timeout_ms)
{
	struct timeval timeout = {timeout_ms / 1000, timeout_ms % 1000 * 1000};
	struct sockaddr_un address;
	int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool sent = file >= 0 && address_of(&address, path) == 0 &&
		    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) == 0 &&
		    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)) == 0 &&
		    connect(file, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		    send_line(file, request);
	int error = errno;

	json_decref(request);
	if (sent)
		return read_reply(file);
	if (file >= 0)
		close(file);
	errno = error == EAGAIN ? ETIMEDOUT : error;
	return NULL;
}
