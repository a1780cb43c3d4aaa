/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What passed through a disk since the last reset, per class and direction, and whether it can be
 * trusted (the validity gate). Times in nanoseconds of the caller's clock. Not thread-safe.
 */
#ifndef VHDD_STATS_H
#define VHDD_STATS_H

#include "issue_probe.h"
#include "model.h"

#include <jansson.h>

/* The disk's bytes can be divided in so many equal regions to count classes in each. */
#define VHDD_MAX_REGIONS 64

struct vhdd_stats;

/* NULL with errno set. */
struct vhdd_stats *vhdd_stats_new(uint64_t size_bytes, int64_t now_ns);
void vhdd_stats_free(struct vhdd_stats *stats);

/* Resets all counts. Those of others, of vhdd_issue_probe_lost and vhdd_drive_writecache, count from here on. */
void vhdd_stats_reset(struct vhdd_stats *stats, int64_t now_ns, uint64_t lost_events,
		      const struct vhdd_writecache_counts *cache);

/* Counts classes per region from now on; 0 regions: not at all. At most VHDD_MAX_REGIONS. */
void vhdd_stats_set_regions(struct vhdd_stats *stats, unsigned int regions);

/* A request has come; held is how many the drive then holds. */
void vhdd_stats_arrived(struct vhdd_stats *stats, const struct vhdd_request *request,
			enum vhdd_issue_match match);
void vhdd_stats_held(struct vhdd_stats *stats, size_t held);

/* Since the block layer issued a request that has come, way_ns have passed. */
void vhdd_stats_way(struct vhdd_stats *stats, int64_t way_ns);

/*
 * A request has been answered, at now_ns; timed: at the time that the model asked for. One that a duration
 * limit has ended without data counts for its descriptor only, not for its class; a flush has no class.
 */
void vhdd_stats_answered(struct vhdd_stats *stats, const struct vhdd_request *request,
			 int64_t now_ns, bool timed);

/* A request failed: it was outside of the disk, or its data could not be read or written. */
void vhdd_stats_failed(struct vhdd_stats *stats);

/* A new JSON object with all counts and the verdict (README.md, "vhdd stats"); NULL: no memory. */
json_t *vhdd_stats_to_json(const struct vhdd_stats *stats, int64_t now_ns, uint64_t lost_events,
			   const struct vhdd_writecache_counts *cache);

#endif
