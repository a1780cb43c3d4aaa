/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a disk, in memory. What was never written reads as zero and takes no memory. */
#ifndef VHDD_BACKING_H
#define VHDD_BACKING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A file descriptor, or -errno. */
int vhdd_backing_new(uint64_t size_bytes);

/* All of it: 0, or -errno. */
int vhdd_backing_read(int backing, void *data, uint32_t length, uint64_t offset);
int vhdd_backing_write(int backing, const void *data, uint32_t length, uint64_t offset);

/* As fallocate(2): 0, or -errno. */
int vhdd_backing_allocate(int backing, int mode, off_t offset, off_t length);

/* Whether all bytes of the range have memory, so that a write there takes no more. */
bool vhdd_backing_has(int backing, uint32_t length, uint64_t offset);

/* Bytes of memory that it takes. */
uint64_t vhdd_backing_used(int backing);

#endif
