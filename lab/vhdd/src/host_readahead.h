/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's read-ahead of a SATA disk that rotates (queue/read_ahead_kb, in KiB), as Linux gives it by
 * default. Pure functions but for vhdd_host_read_ahead_now.
 */
#ifndef VHDD_HOST_READAHEAD_H
#define VHDD_HOST_READAHEAD_H

#include <stdbool.h>

/* The range of a read-ahead that is given, in KiB. */
#define VHDD_HOST_READ_AHEAD_MAX_KB 65536

/* Before Linux 6.17. */
#define VHDD_HOST_READ_AHEAD_OLD_KB 128

/*
 * From Linux 6.17 on (459779d04ae8): twice max_sectors_kb, which is 4096 on a SATA disk since 6.16. The
 * loop device's own max_sectors_kb is 1024, because FUSE takes no larger request: what counts is how much
 * a file is read ahead, so it gets what such a disk has, and not twice its own.
 */
#define VHDD_HOST_READ_AHEAD_NEW_KB 8192

/* "old", "new" or a number of KiB. False, and kib unchanged, if it is none. */
bool vhdd_host_read_ahead_parse(const char *text, unsigned int *kib);

/* That of a kernel by its release, such as "6.18.4-arm64". False if that does not begin with a version. */
bool vhdd_host_read_ahead_of(const char *release, unsigned int *kib);

/* That of the running kernel. False after a message if its version cannot be read. */
bool vhdd_host_read_ahead_now(unsigned int *kib);

#endif
