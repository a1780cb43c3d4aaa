/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends a FUSE connection from outside of its daemon: each pending and each later request fails, so
 * no process waits for a daemon that does not answer (Documentation/filesystems/fuse.rst).
 */
#ifndef VHDD_FUSECTL_H
#define VHDD_FUSECTL_H

/*
 * The connection's number is the minor device number of its mount. 0 (also when the connection is
 * gone), or -errno after a message. Mounts the control filesystem for that time if it is not mounted.
 */
int vhdd_fuse_abort(int connection);

#endif
