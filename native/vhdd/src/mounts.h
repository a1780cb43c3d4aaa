/* The mounts of this process's namespace. Asks no filesystem, so it works beside a hung one. */
#ifndef VHDD_MOUNTS_H
#define VHDD_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

/* One mount point. */
struct vhdd_mount {
	int major; /* of the filesystem's device number */
	int minor;
	char point[4096];
	char type[64];
};

/*
 * The newest mount for which match returns true: true and in found; false when there is none, or
 * after a message.
 */
bool vhdd_mount_find(struct vhdd_mount *found,
		     bool (*match)(const struct vhdd_mount *mount, const void *context),
		     const void *context);

/* The newest mount of a filesystem on this device. */
bool vhdd_mount_of_device(struct vhdd_mount *found, int major, int minor);

/* The newest mount at this place. */
bool vhdd_mount_at(struct vhdd_mount *found, const char *point);

#endif
