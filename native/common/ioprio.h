/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An I/O priority as the kernel encodes it, class<<13 | hint<<3 | level (include/uapi/linux/ioprio.h),
 * and as text. Pure functions.
 */
#ifndef HPRIO_IOPRIO_H
#define HPRIO_IOPRIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hprio_ioprio_class {
	HPRIO_CLASS_NONE, /* the block layer treats it as best effort, level 4 */
	HPRIO_CLASS_RT,
	HPRIO_CLASS_BE,
	HPRIO_CLASS_IDLE,
};

static inline unsigned hprio_ioprio_class(uint16_t ioprio)
{
	return ioprio >> 13;
}

/* 0: none; 1 to 7: a command duration limit. */
static inline unsigned hprio_ioprio_hint(uint16_t ioprio)
{
	return (ioprio >> 3) & 0x3ff;
}

/* 0, the highest, to 7. */
static inline unsigned hprio_ioprio_level(uint16_t ioprio)
{
	return ioprio & 0x7;
}

static inline uint16_t hprio_ioprio_make(enum hprio_ioprio_class class, unsigned level,
					 unsigned hint)
{
	return (uint16_t)((unsigned)class << 13 | hint << 3 | level);
}

/*
 * Reads "none", "idle", "rt", "rt:0" to "rt:7", "be", "be:0" to "be:7"; with limits true, each but
 * "none" with an optional "+1" to "+7" for a duration limit ("be:4+1"). Without a level: rt:4, be:4.
 * 0; or -EINVAL, and in error (size bytes) a sentence that names the text and what is allowed.
 */
int hprio_ioprio_parse(const char *text, bool limits, uint16_t *ioprio, char *error, size_t size);

/* The same text form back. Returns text. */
const char *hprio_ioprio_format(uint16_t ioprio, char *text, size_t size);

#endif
