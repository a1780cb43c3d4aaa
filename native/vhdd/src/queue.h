/*
 * The settings of a loop device's request queue in sysfs (Documentation/ABI/stable/sysfs-block) that
 * make it look like a hard disk with 32 tags.
 */
#ifndef VHDD_QUEUE_H
#define VHDD_QUEUE_H

#include <stdbool.h>

/* Tags of a drive with NCQ. */
#define VHDD_QUEUE_TAGS 32

/*
 * Makes it a disk with this scheduler and read-ahead (KiB), and with a write cache, so that the kernel sends
 * flushes, or without: 0, or -errno after a message.
 */
int vhdd_queue_apply(int loop, const char *scheduler, unsigned int read_ahead_kb, bool write_cache);

#endif
