/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a byte is on the disk and how long the head needs to get there: zones, seek curve,
 * rotation. Times are ns, tracks count from the outer edge. Immutable after init, so safe from any
 * thread.
 */
#ifndef VHDD_GEOMETRY_H
#define VHDD_GEOMETRY_H

#include "params.h"

#define VHDD_MAX_ZONES 256

struct vhdd_zone {
	uint64_t first_offset;
	uint64_t first_track;
	uint64_t track_bytes;
};

struct vhdd_geometry {
	int64_t revolution_ns;
	int64_t track_switch_ns;
	int64_t write_settle_ns;
	/* seek = min + root * sqrt(x) + linear * x, x = share of the full stroke, 0 for the same track */
	double seek_min_ns;
	double seek_root_ns;
	double seek_linear_ns;
	double stroke;
	double tracks;
	uint32_t zones;
	struct vhdd_zone zone[VHDD_MAX_ZONES];
};

/* A byte's place. The angle is the time within a revolution at which the head is above it. */
struct vhdd_place {
	uint64_t track;
	double angle_ns;
	uint64_t track_bytes;
};

/* The parameters must pass vhdd_params_check. */
void vhdd_geometry_init(struct vhdd_geometry *geometry, const struct vhdd_params *params);

struct vhdd_place vhdd_geometry_locate(const struct vhdd_geometry *geometry, uint64_t offset);

/* Between two tracks, the write's settle time included; 0 on the same track. */
double vhdd_geometry_seek_ns(const struct vhdd_geometry *geometry, uint64_t from, uint64_t to,
			     bool write);

/* From the given time until the head is above the angle, 0 to less than one revolution. */
double vhdd_geometry_wait_ns(const struct vhdd_geometry *geometry, double angle_ns, int64_t at_ns,
			     double later_ns);

/* From the first byte to the last, track switches included. */
double vhdd_geometry_transfer_ns(const struct vhdd_geometry *geometry, uint64_t offset,
				 uint64_t length);

/* From the byte before until the head is above this one, when it goes on: a track switch, or nothing. */
double vhdd_geometry_go_on_ns(const struct vhdd_geometry *geometry, uint64_t offset);

/* The rate of a long read or write at this place. */
double vhdd_geometry_bytes_per_ns(const struct vhdd_geometry *geometry,
				  const struct vhdd_place *place);

#endif
