// SPDX-License-Identifier: Apache-2.0
#include "geometry.h"

#include <math.h>

#define SECOND_NS 1e9
#define MINUTE_NS (60 * SECOND_NS)
#define PHYSICAL_SECTOR 4096

static void init_seek(struct vhdd_geometry *geometry, const struct vhdd_params *params)
{
	double range = (double)(params->seek_max_ns - params->seek_min_ns);
	double mean = (double)(params->seek_avg_ns - params->seek_min_ns);

	/*
	 * The distance of two random positions has the density 2(1-x), so E[sqrt x] = 8/15 and
	 * E[x] = 1/3. With root + linear = range these give the curve its average.
	 */
	geometry->seek_min_ns = (double)params->seek_min_ns;
	geometry->seek_root_ns = (mean - range / 3) / (8.0 / 15 - 1.0 / 3);
	geometry->seek_linear_ns = range - geometry->seek_root_ns;
}

static uint64_t zone_track_bytes(const struct vhdd_params *params, uint32_t zone)
{
	double outer = (double)params->track_outer_bytes;
	double inner = (double)params->track_inner_bytes;
	double bytes = params->zones < 2 ? (outer + inner) / 2
					 : outer + (inner - outer) * zone / (params->zones - 1);

	return (uint64_t)bytes / PHYSICAL_SECTOR * PHYSICAL_SECTOR;
}

/* Tracks per zone, so that the disk's last byte is in the last zone. */
static uint64_t zone_tracks(const struct vhdd_params *params)
{
	uint64_t round_bytes = 0; /* one track of each zone */

	for (uint32_t i = 0; i < params->zones; i++)
		round_bytes += zone_track_bytes(params, i);
	return (params->size_bytes + round_bytes - 1) / round_bytes;
}

void vhdd_geometry_init(struct vhdd_geometry *geometry, const struct vhdd_params *params)
{
	uint64_t tracks = zone_tracks(params);
	uint64_t offset = 0;

	geometry->revolution_ns = llround(MINUTE_NS / params->rpm);
	geometry->track_switch_ns = params->track_switch_ns;
	geometry->write_settle_ns = params->write_settle_ns;
	geometry->stroke = params->stroke;
	geometry->tracks = (double)(tracks * params->zones);
	geometry->zones = params->zones;
	for (uint32_t i = 0; i < params->zones; i++) {
		struct vhdd_zone *zone = &geometry->zone[i];
		zone->first_offset = offset;
		zone->first_track = tracks * i;
		zone->track_bytes = zone_track_bytes(params, i);
		offset += tracks * zone->track_bytes;
	}
	init_seek(geometry, params);
}

static const struct vhdd_zone *find_zone(const struct vhdd_geometry *geometry, uint64_t offset)
{
	uint32_t low = 0;
	uint32_t high = geometry->zones;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (offset >= geometry->zone[middle].first_offset)
			low = middle;
		else
			high = middle;
	}
	return &geometry->zone[low];
}

struct vhdd_place vhdd_geometry_locate(const struct vhdd_geometry *geometry, uint64_t offset)
{
	const struct vhdd_zone *zone = find_zone(geometry, offset);
	uint64_t inside = offset - zone->first_offset;
	uint64_t track = zone->first_track + inside / zone->track_bytes;
	double share = (double)(inside % zone->track_bytes) / (double)zone->track_bytes;
	double revolution = (double)geometry->revolution_ns;
	/* Each track begins later by a track switch, so that a transfer goes on without a wait. */
	double skew = (double)track * (double)geometry->track_switch_ns;

	return (struct vhdd_place){
		.track = track,
		.angle_ns = fmod(share * revolution + skew, revolution),
		.track_bytes = zone->track_bytes,
	};
}

double vhdd_geometry_seek_ns(const struct vhdd_geometry *geometry, uint64_t from, uint64_t to,
			     bool write)
{
	double settle = write ? (double)geometry->write_settle_ns : 0;
	double x;

	if (from == to)
		return 0;
	x = (double)(from > to ? from - to : to - from) / geometry->tracks * geometry->stroke;
	return geometry->seek_min_ns + geometry->seek_root_ns * sqrt(x) +
	       geometry->seek_linear_ns * x + settle;
}

double vhdd_geometry_wait_ns(const struct vhdd_geometry *geometry, double angle_ns, int64_t at_ns,
			     double later_ns)
{
	double revolution = (double)geometry->revolution_ns;
	/* The remainder is taken on integers: a clock since boot has more digits than a double. */
	double head = (double)(at_ns % geometry->revolution_ns) + later_ns;
	double wait = fmod(angle_ns - head, revolution);

	if (wait < 0)
		wait += revolution;
	return wait < revolution ? wait : 0;
}

double vhdd_geometry_transfer_ns(const struct vhdd_geometry *geometry, uint64_t offset,
				 uint64_t length)
{
	struct vhdd_place first = vhdd_geometry_locate(geometry, offset);
	struct vhdd_place last = vhdd_geometry_locate(geometry, offset + length - 1);
	double switches = (double)(last.track - first.track) * (double)geometry->track_switch_ns;

	return (double)length / (double)first.track_bytes * (double)geometry->revolution_ns +
	       switches;
}

double vhdd_geometry_go_on_ns(const struct vhdd_geometry *geometry, uint64_t offset)
{
	const struct vhdd_zone *zone = find_zone(geometry, offset);
	bool track_begins = (offset - zone->first_offset) % zone->track_bytes == 0;

	return track_begins ? (double)geometry->track_switch_ns : 0;
}

double vhdd_geometry_bytes_per_ns(const struct vhdd_geometry *geometry,
				  const struct vhdd_place *place)
{
	return (double)place->track_bytes /
	       (double)(geometry->revolution_ns + geometry->track_switch_ns);
}
