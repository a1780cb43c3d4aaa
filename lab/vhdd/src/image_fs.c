// SPDX-License-Identifier: Apache-2.0
#include "image_fs.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define IMAGE_NAME "disk"
#define IMAGE_INODE 2

/* Nothing changes, so the kernel can cache attributes. */
#define CACHE_S 86400.0

/*
 * More than a drive has tags, so that no request waits for the kernel's limit of background requests.
 */
#define MAX_BACKGROUND 1024

struct vhdd_image_fs {
	struct fuse_session *session;
	struct fuse_buf buffer;
	uint64_t size_bytes;
	struct vhdd_image_handler handler;
};

static struct vhdd_image_fs *fs_of(fuse_req_t request)
{
	return fuse_req_userdata(request);
}

static struct stat attributes(const struct vhdd_image_fs *fs, fuse_ino_t inode)
{
	if (inode == IMAGE_INODE)
		return (struct stat){.st_ino = inode,
				     .st_mode = S_IFREG | 0600,
				     .st_nlink = 1,
				     .st_size = (off_t)fs->size_bytes,
				     .st_blocks = (blkcnt_t)(fs->size_bytes / 512),
				     .st_blksize = 4096};
	return (struct stat){.st_ino = inode, .st_mode = S_IFDIR | 0700, .st_nlink = 2};
}

static void on_init(void *userdata, struct fuse_conn_info *connection)
{
	(void)userdata;
	/* Replies are made from memory; splicing them would only add work. */
	connection->want &= ~(unsigned int)(FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE |
					    FUSE_CAP_SPLICE_MOVE);
	connection->max_write = VHDD_IMAGE_MAX_REQUEST;
	connection->max_background = MAX_BACKGROUND;
	connection->congestion_threshold = MAX_BACKGROUND;
}

static void on_lookup(fuse_req_t request, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param entry = {
		.ino = IMAGE_INODE, .attr_timeout = CACHE_S, .entry_timeout = CACHE_S};

	if (parent != FUSE_ROOT_ID || strcmp(name, IMAGE_NAME)) {
		fuse_reply_err(request, ENOENT);
		return;
	}
	entry.attr = attributes(fs_of(request), IMAGE_INODE);
	fuse_reply_entry(request, &entry);
}

static void on_getattr(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *info)
{
	struct stat status = attributes(fs_of(request), inode);

	(void)info;
	fuse_reply_attr(request, &status, CACHE_S);
}

/* The kernel sets times after writes; the size is fixed. */
static void on_setattr(fuse_req_t request, fuse_ino_t inode, struct stat *wanted, int which,
		       struct fuse_file_info *info)
{
	(void)wanted;
	if (which & FUSE_SET_ATTR_SIZE)
		fuse_reply_err(request, EPERM);
	else
		on_getattr(request, inode, info);
}

static void on_open(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *info)
{
	/*
	 * Without parallel direct writes the kernel sends one write at a time. libfuse has no field
	 * for it before 3.15, so the reply is made here, as the protocol has it.
	 */
	struct fuse_open_out reply = {.open_flags =
					      FOPEN_DIRECT_IO | FOPEN_PARALLEL_DIRECT_WRITES};

	(void)info;
	if (inode != IMAGE_INODE)
		fuse_reply_err(request, EISDIR);
	else
		fuse_reply_buf(request, (const char *)&reply, sizeof(reply));
}

static void on_read(fuse_req_t request, fuse_ino_t inode, size_t size, off_t offset,
		    struct fuse_file_info *info)
{
	struct vhdd_image_fs *fs = fs_of(request);

	(void)inode;
	(void)info;
	fs->handler.read(fs->handler.context, request, (uint64_t)offset, (uint32_t)size);
}

static void on_write(fuse_req_t request, fuse_ino_t inode, const char *data, size_t size,
		     off_t offset, struct fuse_file_info *info)
{
	struct vhdd_image_fs *fs = fs_of(request);

	(void)inode;
	(void)info;
	fs->handler.write(fs->handler.context, request, (uint64_t)offset, (uint32_t)size, data);
}

static void on_fallocate(fuse_req_t request, fuse_ino_t inode, int mode, off_t offset,
			 off_t length, struct fuse_file_info *info)
{
	struct vhdd_image_fs *fs = fs_of(request);

	(void)inode;
	(void)info;
	fuse_reply_err(request, -fs->handler.allocate(fs->handler.context, mode, offset, length));
}

static void on_fsync(fuse_req_t request, fuse_ino_t inode, int data_only,
		     struct fuse_file_info *info)
{
	struct vhdd_image_fs *fs = fs_of(request);

	(void)inode;
	(void)data_only;
	(void)info;
	fs->handler.flush(fs->handler.context, request);
}

static void on_readdir(fuse_req_t request, fuse_ino_t inode, size_t size, off_t offset,
		       struct fuse_file_info *info)
{
	char entry[128];
	struct stat status = attributes(fs_of(request), IMAGE_INODE);
	size_t length = 0;

	(void)inode;
	(void)info;
	if (offset == 0)
		length = fuse_add_direntry(request, entry, sizeof(entry), IMAGE_NAME, &status, 1);
	fuse_reply_buf(request, entry, length <= size ? length : 0);
}

static const struct fuse_lowlevel_ops operations = {
	.init = on_init,
	.lookup = on_lookup,
	.getattr = on_getattr,
	.setattr = on_setattr,
	.open = on_open,
	.read = on_read,
	.write = on_write,
	.fallocate = on_fallocate,
	.fsync = on_fsync,
	.readdir = on_readdir,
};

static int start_session(struct vhdd_image_fs *fs, const char *mount_point)
{
	char *arguments[] = {"vhdd", "-o", "fsname=vhdd,subtype=vhdd", NULL};
	struct fuse_args options = FUSE_ARGS_INIT(3, arguments);
	int flags;

	fs->session = fuse_session_new(&options, &operations, sizeof(operations), fs);
	fuse_opt_free_args(&options);
	if (!fs->session || fuse_session_mount(fs->session, mount_point))
		return -EIO;
	flags = fcntl(fuse_session_fd(fs->session), F_GETFL);
	if (fcntl(fuse_session_fd(fs->session), F_SETFL, flags | O_NONBLOCK))
		return -errno;
	return 0;
}

struct vhdd_image_fs *vhdd_image_fs_mount(const char *mount_point, uint64_t size_bytes,
					  const struct vhdd_image_handler *handler)
{
	struct vhdd_image_fs *fs = calloc(1, sizeof(*fs));

	if (!fs) {
		warn("FUSE filesystem");
		return NULL;
	}
	fs->size_bytes = size_bytes;
	fs->handler = *handler;
	if (start_session(fs, mount_point)) {
		warnx("cannot mount a FUSE filesystem on %s (needs root and /dev/fuse)",
		      mount_point);
		vhdd_image_fs_close(fs);
		return NULL;
	}
	return fs;
}

void vhdd_image_fs_close(struct vhdd_image_fs *fs)
{
	if (!fs)
		return;
	if (fs->session)
		fuse_session_destroy(fs->session);
	free(fs->buffer.mem);
	free(fs);
}

int vhdd_image_fs_fd(const struct vhdd_image_fs *fs)
{
	return fuse_session_fd(fs->session);
}

int vhdd_image_fs_serve(struct vhdd_image_fs *fs)
{
	int length = fuse_session_receive_buf(fs->session, &fs->buffer);

	if (length > 0)
		fuse_session_process_buf(fs->session, &fs->buffer);
	if (fuse_session_exited(fs->session))
		return -ENODEV;
	if (length == -EAGAIN || length == -EINTR)
		return 0;
	return length > 0 ? 1 : -ENODEV;
}
