/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What create did for a disk, step by step, so that destroy can undo it after any failure. Kept as
 * a JSON file that is replaced as a whole.
 */
#ifndef VHDD_STATE_H
#define VHDD_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define VHDD_NO_LOOP (-1)

struct vhdd_state {
	uint64_t size_bytes;
	int loop;      /* number of the loop device, or VHDD_NO_LOOP */
	bool complete; /* create has come to its end */
};

/* 0, or -errno after a message. */
int vhdd_state_write(const struct vhdd_state *state, const char *path);

/* 0, -ENOENT when there is none (without a message), or another -errno after a message. */
int vhdd_state_read(struct vhdd_state *state, const char *path);

#endif
