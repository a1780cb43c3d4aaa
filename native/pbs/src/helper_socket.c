// SPDX-License-Identifier: Apache-2.0
#include "helper_socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int))];
};

int pbs_socket_send(int socket, const void *message, size_t size, int fd)
{
	union control control = {0};
	struct iovec data = {.iov_base = (void *)message, .iov_len = size};
	struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1};
	ssize_t sent;

	if (fd >= 0) {
		struct cmsghdr *rights;

		header.msg_control = control.bytes;
		header.msg_controllen = sizeof(control.bytes);
		rights = CMSG_FIRSTHDR(&header);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(rights), &fd, sizeof(int));
	}
	do
		sent = sendmsg(socket, &header, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

static int descriptor_of(struct msghdr *header)
{
	struct cmsghdr *control = CMSG_FIRSTHDR(header);
	int fd = -1;

	if (control && control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS &&
	    control->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(control), sizeof(int));
	return fd;
}

int pbs_socket_receive(int socket, void *message, size_t size, int *fd)
{
	union control control;
	struct iovec data = {.iov_base = message, .iov_len = size};
	struct msghdr header = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = fd ? control.bytes : NULL,
		/* Room for one descriptor and not, as with CMSG_SPACE, two: the kernel drops the rest. */
		.msg_controllen = fd ? CMSG_LEN(sizeof(int)) : 0,
	};
	ssize_t received;
	int came;

	do
		received = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
	while (received < 0 && errno == EINTR);
	if (received < 0)
		return -errno;
	came = descriptor_of(&header);
	if ((size_t)received == size && !(header.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
		if (fd)
			*fd = came;
		return 0;
	}
	if (came >= 0)
		close(came);
	return received == 0 ? -EPIPE : -EBADMSG;
}
