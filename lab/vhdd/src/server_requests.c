// SPDX-License-Identifier: Apache-2.0
/* The daemon's reads and writes: from FUSE to the drive, and back when the model says so. */
#include "memory.h"
#include "server_parts.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where the median of copies is looked for first: 3 GB/s, and by which part it is corrected. */
#define COPY_NS_PER_BYTE 0.3
#define COPY_STEP (1.0 / 64)
/* In shorter answers the copy matters little. */
#define MIN_COPY_BYTES 65536
/* How much may be written before memory is looked at again. */
#define CHECKED_BYTES (16u * 1024 * 1024)

/* One read or write, from its arrival to its answer. */
struct io {
	struct vhdd_request request; /* first: the drive gives it back by this pointer */
	fuse_req_t reply;
	int error; /* of its data, 0 or -errno */
};

static void on_start(void *context, struct vhdd_request *request)
{
	struct vhdd_server *server = context;
	struct io *io = (struct io *)request;

	/* Copies now and not at the end, so that the answer is not late by the time of the copy. */
	if (!request->write && !request->flush)
		io->error = vhdd_backing_read(server->backing, server->data, request->length,
					      request->offset);
}

/*
 * The kernel copies the data of an answer before it passes it on, so the copy must begin before the
 * answer is due. Its duration depends on the machine. This follows the median, because a copy into memory
 * that a virtual machine's host must first provide takes ten times as long.
 */
static void copied(struct vhdd_server *server, uint32_t length, int64_t copy_ns)
{
	double cost = vhdd_drive_answer_cost(server->drive);
	bool longer = (double)copy_ns > cost * length;

	vhdd_drive_set_answer_cost(server->drive, cost * (longer ? 1 + COPY_STEP : 1 - COPY_STEP));
}

static void answer_read(struct vhdd_server *server, const struct io *io)
{
	int64_t begin_ns = vhdd_server_now_ns();

	fuse_reply_buf(io->reply, server->data, io->request.length);
	if (io->request.length >= MIN_COPY_BYTES)
		copied(server, io->request.length, vhdd_server_now_ns() - begin_ns);
}

static void on_finish(void *context, struct vhdd_request *request)
{
	struct vhdd_server *server = context;
	struct io *io = (struct io *)request;

	if (request->cdl.unavailable) {
		/* As libata answers a command that ends with "data currently unavailable". */
		fuse_reply_err(io->reply, ETIME);
	} else if (io->error) {
		fuse_reply_err(io->reply, -io->error);
		vhdd_stats_failed(server->stats);
	} else if (request->flush) {
		fuse_reply_err(io->reply, 0);
	} else if (request->write) {
		fuse_reply_write(io->reply, request->length);
	} else {
		answer_read(server, io);
	}
	vhdd_stats_answered(server->stats, request, vhdd_server_now_ns(), vhdd_drive_timed(server->drive));
	free(io);
}

/*
 * Whether no more memory may be taken. Looks after so many bytes, which the kept part of memory holds easily,
 * and while memory is short each time.
 */
static bool memory_is_short(struct vhdd_server *server, uint32_t length)
{
	bool before = server->memory_short;

	server->unchecked += length;
	if (!before && server->unchecked < CHECKED_BYTES)
		return false;
	server->unchecked = 0;
	server->memory_short = vhdd_memory_now().left < CHECKED_BYTES;
	if (server->memory_short && !before)
		vhdd_log(WRITER, "memory is short: writes that need more of it fail (ENOSPC)");
	return server->memory_short;
}

/* A write that there is no memory for fails here, where otherwise the kernel would kill processes for it. */
static int store(struct vhdd_server *server, const char *data, uint32_t length, uint64_t offset)
{
	if (memory_is_short(server, length) && !vhdd_backing_has(server->backing, length, offset))
		return -ENOSPC;
	return vhdd_backing_write(server->backing, data, length, offset);
}

static void refuse(struct vhdd_server *server, fuse_req_t reply, int error)
{
	fuse_reply_err(reply, -error);
	vhdd_stats_failed(server->stats);
}

/* NULL after the request was refused: there is no memory for it. */
static struct io *new_io(struct vhdd_server *server, fuse_req_t reply)
{
	struct io *io = calloc(1, sizeof(*io));

	if (io)
		io->reply = reply;
	else
		refuse(server, reply, -ENOMEM);
	return io;
}

static void hand_in(struct vhdd_server *server, struct io *io, int64_t issued_ns)
{
	int error;

	vhdd_stats_held(server->stats, vhdd_drive_held(server->drive) + 1);
	error = vhdd_drive_submit(server->drive, &io->request, issued_ns, vhdd_server_now_ns());
	if (error) {
		refuse(server, io->reply, error);
		free(io);
	}
}

static void submit(struct vhdd_server *server, fuse_req_t reply, uint64_t offset, uint32_t length,
		   const char *data)
{
	int64_t now_ns = vhdd_server_now_ns();
	struct vhdd_issued issued;
	enum vhdd_issue_match match;
	struct io *io;

	if (length > VHDD_IMAGE_MAX_REQUEST) {
		refuse(server, reply, -EINVAL);
		return;
	}
	io = new_io(server, reply);
	if (!io)
		return;
	io->request.offset = offset;
	io->request.length = length;
	io->request.write = data != NULL;
	match = vhdd_issue_probe_find(server->probe, offset, length, io->request.write, &issued);
	io->request.ioprio = issued.ioprio;
	vhdd_stats_arrived(server->stats, &io->request, match);
	if (match == VHDD_ISSUE_FOUND)
		vhdd_stats_way(server->stats, now_ns - issued.issued_ns);
	/* The data is valid only until this returns. */
	if (data)
		io->error = store(server, data, length, offset);
	hand_in(server, io, match == VHDD_ISSUE_FOUND ? issued.issued_ns : now_ns);
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

/* The kernel has no issue of it that could be found: it comes a little later than at a real drive. */
static void on_flush(void *context, fuse_req_t reply)
{
	struct io *io = new_io(context, reply);

	if (!io)
		return;
	io->request.flush = true;
	hand_in(context, io, vhdd_server_now_ns());
}

static int on_allocate(void *context, int mode, off_t offset, off_t length)
{
	struct vhdd_server *server = context;

	return vhdd_backing_allocate(server->backing, mode, offset, length);
}

int vhdd_server_open_disk(struct vhdd_server *server)
{
	const struct vhdd_paths *paths = server->options->paths;
	const struct vhdd_params *params = &server->options->params;
	const struct vhdd_drive_events events = {
		.start = on_start, .finish = on_finish, .context = server};
	const struct vhdd_image_handler handler = {
		.read = on_read, .write = on_write, .flush = on_flush, .allocate = on_allocate,
		.context = server};

	server->backing = vhdd_backing_new(params->size_bytes);
	if (server->backing < 0) {
		warnx("cannot make %ju bytes of memory: %s", (uintmax_t)params->size_bytes,
		      strerror(-server->backing));
		return -1;
	}
	server->drive = vhdd_drive_new(params, &events);
	server->stats = vhdd_stats_new(params->size_bytes, vhdd_server_now_ns());
	if (!server->drive || !server->stats) {
		warn("drive model");
		return -1;
	}
	vhdd_drive_set_answer_cost(server->drive, COPY_NS_PER_BYTE);
	server->probe = vhdd_issue_probe_new();
	if (!server->probe)
		return -1;
	server->fs = vhdd_image_fs_mount(paths->mount, params->size_bytes, &handler);
	return server->fs ? 0 : -1;
}

void vhdd_server_close_disk(struct vhdd_server *server)
{
	/* Without a reply a FUSE request would leak. */
	if (server->drive)
		vhdd_drive_set_timed(server->drive, false, vhdd_server_now_ns());
	vhdd_image_fs_close(server->fs);
	vhdd_issue_probe_free(server->probe);
	vhdd_stats_free(server->stats);
	vhdd_drive_free(server->drive);
}
