/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The daemon's control socket: a local stream socket, a JSON object per line in each direction. The
 * reply has "ok", and "error" with a sentence when it is false. It is outside of the daemon's
 * filesystem, so it works when that hangs.
 */
#ifndef VHDD_CONTROL_H
#define VHDD_CONTROL_H

#include <jansson.h>

struct vhdd_control;

/* Returns a new object, the reply; NULL: no memory. */
typedef json_t *(*vhdd_control_handler)(void *context, const json_t *request);

/* Listens; only the caller's user can connect. NULL with errno set. */
struct vhdd_control *vhdd_control_listen(const char *path, vhdd_control_handler handler,
					 void *context);
void vhdd_control_close(struct vhdd_control *control);

/* Readable when there is something to do for vhdd_control_serve, which never blocks. */
int vhdd_control_fd(const struct vhdd_control *control);
void vhdd_control_serve(struct vhdd_control *control);

/* Replies for handlers. */
json_t *vhdd_control_ok(void);
json_t *vhdd_control_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Sends a request (its reference is taken) and waits for the reply, which may say that it failed; the
 * caller drops it. NULL with errno set: ENOENT or ECONNREFUSED without a daemon, ETIMEDOUT for one that
 * does not answer.
 */
json_t *vhdd_control_call(const char *path, json_t *request, int timeout_ms);

#endif
