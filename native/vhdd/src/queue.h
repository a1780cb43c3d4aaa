/*
 * The settings of a loop device's request queue in sysfs (Documentation/ABI/stable/sysfs-block) that
 * make it look like a hard disk with 32 tags, and how to set them back.
 */
#ifndef VHDD_QUEUE_H
#define VHDD_QUEUE_H

#include <jansson.h>

/* Tags of a drive with NCQ. */
#define VHDD_QUEUE_TAGS 32

/* The settings as they are, a new JSON object of strings; NULL after a message. */
json_t *vhdd_queue_save(int loop);

/* Adds to saved the number of tags that the driver has; call before vhdd_queue_apply. */
int vhdd_queue_save_tags(int loop, json_t *saved);

/* Makes it a disk with this scheduler and read-ahead (KiB): 0, or -errno after a message. */
int vhdd_queue_apply(int loop, const char *scheduler, unsigned int read_ahead_kb);

/* Sets back what was saved. What cannot be set back is told on stderr, and the rest goes on. */
void vhdd_queue_restore(int loop, const json_t *saved);

#endif
