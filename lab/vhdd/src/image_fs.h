/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A FUSE filesystem with one file, "disk", of fixed size, whose reads and writes are handed to the
 * caller to answer later. Served from the caller's event loop. Not thread-safe.
 */
#ifndef VHDD_IMAGE_FS_H
#define VHDD_IMAGE_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>

/* The largest read or write that comes in one piece, bytes. */
#define VHDD_IMAGE_MAX_REQUEST (1u << 20)

struct vhdd_image_fs;

/* Each request is to be answered once, with fuse_reply_*. */
struct vhdd_image_handler {
	/* fuse_reply_buf */
	void (*read)(void *context, fuse_req_t reply, uint64_t offset, uint32_t length);
	/* fuse_reply_write; data is valid during the call only */
	void (*write)(void *context, fuse_req_t reply, uint64_t offset, uint32_t length,
		      const char *data);
	/* fuse_reply_err: the loop device makes a flush of it (drivers/block/loop.c, lo_req_flush) */
	void (*flush)(void *context, fuse_req_t reply);
	/* Discard and write-zeroes, mode as of fallocate(2). 0, or -errno. */
	int (*allocate)(void *context, int mode, off_t offset, off_t length);
	void *context;
};

/* Mounts it; NULL after a message on stderr. mount_point must be there. Needs root. */
struct vhdd_image_fs *vhdd_image_fs_mount(const char *mount_point, uint64_t size_bytes,
					  const struct vhdd_image_handler *handler);

/*
 * Ends the connection; what is not answered fails. The mount stays, a dead one: unmounting is for
 * the caller, when it is no longer used.
 */
void vhdd_image_fs_close(struct vhdd_image_fs *fs);

/* Readable when there are requests. */
int vhdd_image_fs_fd(const struct vhdd_image_fs *fs);

/* Takes one request: 1, 0 when there is none, or -ENODEV when it was unmounted or aborted. */
int vhdd_image_fs_serve(struct vhdd_image_fs *fs);

#endif
