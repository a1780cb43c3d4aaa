/* Loop devices (loop(4)): makes a block device of a file, with direct I/O. */
#ifndef VHDD_LOOP_H
#define VHDD_LOOP_H

#include <stdbool.h>

/* The major number of all loop devices. */
#define VHDD_LOOP_MAJOR 7

/*
 * Attaches the file to a free loop device. Before each try, prepare is called with the device's
 * number; unless it returns 0 the attempt ends with that error. The number, or -errno after a
 * message.
 */
int vhdd_loop_attach(const char *file, int (*prepare)(int loop, void *context), void *context);

/* Whether the loop device is attached to this file. */
bool vhdd_loop_attached(int loop, const char *file);

/* Whether it is attached to no file. */
bool vhdd_loop_free(int loop);

/*
 * Detaches the loop device and waits until that is done. 0, -EBUSY when somebody still has the device
 * open (it is detached when the last one closes it), or -errno.
 */
int vhdd_loop_detach(int loop, const char *file);

#endif
