/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings of a loop device's request queue in sysfs (Documentation/ABI/stable/sysfs-block) that
 * make it look like a hard disk with 32 tags: the requests and the read-ahead that the kernel gives such a one.
 */
#ifndef VHDD_QUEUE_H
#define VHDD_QUEUE_H

#include <jansson.h>
#include <stdbool.h>

/* Tags of a drive with NCQ. */
#define VHDD_QUEUE_TAGS 32

/*
 * Makes it a disk with this scheduler and read-ahead (KiB), with the kernel's writeback throttling as it is by
 * default, and with a write cache, so that the kernel sends flushes, or without: 0, or -errno after a message.
 */
int vhdd_queue_apply(int loop, const char *scheduler, unsigned int read_ahead_kb, bool write_cache);

/*
 * A new JSON object with what decides how requests reach the disk, as sysfs has it: scheduler, nr_requests,
 * read_ahead_kb, write_cache and wbt_lat_usec; without what this kernel does not have. NULL: no memory.
 */
json_t *vhdd_queue_to_json(const char *device);

#endif
