/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Published measurements of real hard disks, and the loads with which the drive model is compared with them. The
 * tables in published.c are the only place that has these numbers.
 */
#ifndef VHDD_PUBLISHED_H
#define VHDD_PUBLISHED_H

#include "sim.h"

/* The drives; the order is that of their presets. */
enum vhdd_published_drive { VHDD_DRIVE_SDC21, VHDD_DRIVE_CDLTOOLS23, VHDD_PUBLISHED_DRIVES };

extern const char *const vhdd_published_presets[VHDD_PUBLISHED_DRIVES];

/* A share of the background's reads: of class RT; in mode cdl instead with a guideline. */
struct vhdd_load_share {
	double share;
	int64_t guideline_ns;
};

/* The outermost and the innermost 32nd of the disk. */
enum vhdd_disk_part { VHDD_DISK_ALL, VHDD_DISK_OUTERMOST, VHDD_DISK_INNERMOST };

/* Reads at random places, unless something else is said. The foreground is of class RT. */
struct vhdd_load {
	enum vhdd_published_drive drive;
	uint32_t request_bytes;
	unsigned background;
	unsigned foreground;
	enum vhdd_mode mode;
	struct vhdd_load_share high[VHDD_SIM_SHARES];
	/* Of the background. */
	enum vhdd_sim_places places;
	enum vhdd_disk_part part;
	bool write;
	bool fua;
	double foreground_rate; /* instead of a foreground that waits for its answers */
	uint64_t most_samples;  /* 0: as many as wanted */
};

enum vhdd_metric {
	VHDD_METRIC_IOPS, /* of all requests; the other metrics are of one class */
	VHDD_METRIC_MEAN,
	VHDD_METRIC_P99,
	VHDD_METRIC_P9999,
	VHDD_METRIC_P9999_GAIN, /* p99.99 of the baseline by that of the load */
	VHDD_METRIC_RATE,       /* MB/s */
	VHDD_METRIC_RATE_RATIO, /* that of the load by that of the baseline */
};

/* One published number, or one that should be. */
struct vhdd_published {
	const char *source; /* rows of one source have the same text at the same place */
	const char *what;
	unsigned load; /* its place in vhdd_published_loads */
	enum vhdd_metric metric;
	enum vhdd_sim_class class; /* not for VHDD_METRIC_IOPS */
	double value;     /* 0: none is published for a drive that is named */
	double tolerance; /* relative; reproduced means within it */
	bool gated;
	unsigned baseline; /* a load; gain and ratio only */
	double floor;      /* if not 0: reproduced means at least this, whatever the value */
};

/* All loads, and all rows; each sets their number. */
const struct vhdd_load *vhdd_published_loads(size_t *count);
const struct vhdd_published *vhdd_published_rows(size_t *count);

/*
 * Why a row has a hole: a text is missing, its loads are none of so many, its number is none, or it is to be
 * reproduced without saying within what. NULL: it has none.
 */
const char *vhdd_published_hole(const struct vhdd_published *row, size_t loads);

#endif
