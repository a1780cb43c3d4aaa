/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop device (loop(4)) of our own over a file, with direct I/O. It is added for the disk and removed
 * with it, so its queue's settings are nobody else's.
 */
#ifndef VHDD_LOOP_H
#define VHDD_LOOP_H

#include <stdbool.h>

/* The major number of all loop devices. */
#define VHDD_LOOP_MAJOR 7

/*
 * Adds a loop device with an unused number far above those that others are given, and attaches the file.
 * Before each try, prepare is called with the number; unless it returns 0 the attempt ends with that
 * error. The number, or -errno after a message.
 */
int vhdd_loop_add(const char *file, int (*prepare)(int loop, void *context), void *context);

/* Whether there is such a loop device, attached to this file or, any more or as yet, to none. */
bool vhdd_loop_is_ours(int loop, const char *file);

/*
 * Detaches and removes a loop device that is ours; one that is not, or is gone, is left alone. 0;
 * -EBUSY after 5 s in which somebody still had it open (the last close detaches it, and then it can be
 * removed); or -errno.
 */
int vhdd_loop_remove(int loop, const char *file);

#endif
