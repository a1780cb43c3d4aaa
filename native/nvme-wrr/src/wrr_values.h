/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The values of the module's parameters: what is allowed, what they mean on the wire. Without the kernel, so that
 * tests compile it as a program. Every function may be called by several threads at once.
 */
#ifndef HPRIO_WRR_VALUES_H
#define HPRIO_WRR_VALUES_H

#ifdef __KERNEL__
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <string.h>
#endif

/* The field QPRIO of Create I/O Submission Queue (NVM Express Base Specification 2.0, figure 154). */
enum wrr_prio { WRR_URGENT, WRR_HIGH, WRR_MEDIUM, WRR_LOW, WRR_PRIOS };

/* Queue of an I/O class (0 none, 1 rt, 2 be, 3 idle, as in linux/ioprio.h) and a level. */
enum { WRR_CLASSES = 4, WRR_LEVELS = 8 };
struct wrr_map {
	unsigned char prio[WRR_CLASSES][WRR_LEVELS];
};

enum { WRR_WEIGHTS = 3, WRR_WEIGHT_MAX = 256, WRR_BURST_MAX = 7 };

#define WRR_WEIGHTS_ALLOWED "three numbers from 1 to 256, as 3,2,1 (high,medium,low)"
#define WRR_BURST_ALLOWED "0 to 7: at most 2^n commands from a queue at a time, 7 any number"
#define WRR_MAP_ALLOWED                                                                              \
	"RT,BE,IDLE,NONE as u,hhhhmmmm,l,m: a letter (u urgent, h high, m medium, l low), or for RT and " \
	"BE eight, for the levels 0 to 7"

/* What the kernel gives to a file of sysfs may end in a line feed. */
static inline bool wrr_at_end(const char *text)
{
	return !*text || (*text == '\n' && !text[1]);
}

/* Reads a decimal number from least to most at *text and moves that behind it. */
static inline bool wrr_number(const char **text, unsigned int least, unsigned int most, unsigned int *number)
{
	const char *at = *text;
	unsigned int value = 0;

	if (*at < '0' || *at > '9')
		return false;
	for (; *at >= '0' && *at <= '9'; at++) {
		value = value * 10 + (unsigned int)(*at - '0');
		if (value > most)
			return false;
	}
	*text = at;
	*number = value;
	return value >= least;
}

/* Each of these changes its last argument only if the text is allowed. */
static inline bool wrr_parse_burst(const char *text, unsigned int *burst)
{
	unsigned int value;

	if (!wrr_number(&text, 0, WRR_BURST_MAX, &value) || !wrr_at_end(text))
		return false;
	*burst = value;
	return true;
}

static inline bool wrr_parse_weights(const char *text, unsigned int weights[WRR_WEIGHTS])
{
	unsigned int values[WRR_WEIGHTS];
	int i;

	for (i = 0; i < WRR_WEIGHTS; i++) {
		if (i > 0 && *text++ != ',')
			return false;
		if (!wrr_number(&text, 1, WRR_WEIGHT_MAX, &values[i]))
			return false;
	}
	if (!wrr_at_end(text))
		return false;
	memcpy(weights, values, sizeof(values));
	return true;
}

static inline bool wrr_parse_map(const char *text, struct wrr_map *map)
{
	static const unsigned char order[WRR_CLASSES] = { 1, 2, 3, 0 };
	static const char letters[] = "uhml";
	struct wrr_map made;
	int i, level;

	for (i = 0; i < WRR_CLASSES; i++) {
		unsigned char *prio = made.prio[order[i]];
		bool levels = i < 2;

		for (level = 0; level < WRR_LEVELS; level++) {
			const char *letter = *text ? strchr(letters, *text) : NULL;

			if (!letter)
				break;
			prio[level] = (unsigned char)(letter - letters);
			text++;
		}
		if (level != 1 && !(levels && level == WRR_LEVELS))
			return false;
		for (; level < WRR_LEVELS; level++)
			prio[level] = prio[0];
		if (i < WRR_CLASSES - 1 && *text++ != ',')
			return false;
	}
	if (!wrr_at_end(text))
		return false;
	*map = made;
	return true;
}

/* The queue of a request with this I/O priority: class in bits 15:13, level in 2:0. Unknown classes are as none. */
static inline enum wrr_prio wrr_prio_of(const struct wrr_map *map, unsigned int ioprio)
{
	unsigned int class = ioprio >> 13;

	return (enum wrr_prio)map->prio[class < WRR_CLASSES ? class : 0][ioprio & 7];
}

/* Dword 11 of the feature Arbitration (figure 318): HPW, MPW, LPW, each one less than the weight, and AB. */
static inline unsigned int wrr_arbitration(const unsigned int weights[WRR_WEIGHTS], unsigned int burst)
{
	return (weights[0] - 1) << 24 | (weights[1] - 1) << 16 | (weights[2] - 1) << 8 | burst;
}

#endif
