/* SPDX-License-Identifier: Apache-2.0 */
/* Messages with descriptors over a Unix socket. */
#ifndef PBS_HELPER_SOCKET_H
#define PBS_HELPER_SOCKET_H

#include <stddef.h>

/* Sends a message with a descriptor; -1: none. 0, or -errno. Never raises SIGPIPE. */
int pbs_socket_send(int socket, const void *message, size_t size, int fd);

/*
 * Receives a message of exactly this size, and its descriptor into fd (-1: none came) unless fd is
 * NULL. 0, or -errno: -EPIPE when the other side has closed, -EBADMSG for a message of another size
 * or with more descriptors. On an error no descriptor stays open.
 */
int pbs_socket_receive(int socket, void *message, size_t size, int *fd);

#endif
