/*
 * A request's I/O priority as the kernel encodes it: class<<13 | hint<<3 | level
 * (include/uapi/linux/ioprio.h). Pure functions.
 */
#ifndef VHDD_IOPRIO_H
#define VHDD_IOPRIO_H

#include <stddef.h>
#include <stdint.h>

enum vhdd_ioprio_class {
	VHDD_CLASS_NONE, /* the block layer treats it as best effort, level 4 */
	VHDD_CLASS_RT,
	VHDD_CLASS_BE,
	VHDD_CLASS_IDLE,
};

static inline unsigned vhdd_ioprio_class(uint16_t ioprio)
{
	return ioprio >> 13;
}

/* 0: none; 1 to 7: a command duration limit. */
static inline unsigned vhdd_ioprio_hint(uint16_t ioprio)
{
	return (ioprio >> 3) & 0x3ff;
}

/* 0, the highest, to 7. */
static inline unsigned vhdd_ioprio_level(uint16_t ioprio)
{
	return ioprio & 0x7;
}

static inline uint16_t vhdd_ioprio_make(enum vhdd_ioprio_class class, unsigned level,
					unsigned hint)
{
	return (uint16_t)((unsigned)class << 13 | hint << 3 | level);
}

/*
 * Reads "none", "idle", "rt", "rt:0" to "rt:7", "be", "be:0" to "be:7", each but "none" with an
 * optional "+1" to "+7" for a duration limit ("be:4+1"). Without a level: rt:4, be:4. 0, or -EINVAL
 * and in error (size bytes) a sentence that names the text and what is allowed.
 */
int vhdd_ioprio_parse(const char *text, uint16_t *ioprio, char *error, size_t size);

/* The same text form back. Returns text. */
const char *vhdd_ioprio_format(uint16_t ioprio, char *text, size_t size);

#endif
