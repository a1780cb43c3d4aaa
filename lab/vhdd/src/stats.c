// SPDX-License-Identifier: Apache-2.0
#include "stats.h"

#include "histogram.h"
#include "ioprio.h"
#include "queue.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CLASSES 4
#define LEVELS 8
#define PRIORITY_SIZE 16
#define DIRECTIONS 2

#define NS_PER_MS 1e6
#define NS_PER_S 1e9
#define BYTES_PER_MB 1e6

/* The gate: requests and answers at the wrong time falsify latencies. */
#define LATE_P99_NS 500000
#define LATE_P999_NS 3000000

static const char *const class_names[CLASSES] = {"none", "rt", "be", "idle"};
static const char *const direction_names[DIRECTIONS] = {"read", "write"};

struct class_stats {
	uint64_t bytes;
	double service_ns; /* sum */
	struct vhdd_histogram latency;
};

struct vhdd_stats {
	uint64_t size_bytes;
	unsigned int regions;
	/* All below is counted since the last reset. */
	int64_t since_ns;
	uint64_t lost_events_before;
	struct vhdd_writecache_counts cache_before;
	uint64_t matches[VHDD_ISSUE_MISSING + 1];
	uint64_t failed;
	uint64_t not_timed;
	size_t held_max;
	double busy_ns;
	struct vhdd_histogram lateness;
	struct vhdd_histogram way;
	struct vhdd_histogram late_arrivals;
	struct vhdd_histogram flushes;
	struct class_stats classes[CLASSES][DIRECTIONS];
	double level_busy_ns[CLASSES][LEVELS];
	double level_bytes[CLASSES][LEVELS];
	uint64_t region_classes[VHDD_MAX_REGIONS][CLASSES];
	struct vhdd_cdl_counts cdl[VHDD_CDL_DESCRIPTORS];
};

struct vhdd_stats *vhdd_stats_new(uint64_t size_bytes, int64_t now_ns)
{
	struct vhdd_stats *stats = calloc(1, sizeof(*stats));

	if (!stats)
		return NULL;
	stats->size_bytes = size_bytes;
	stats->since_ns = now_ns;
	return stats;
}

void vhdd_stats_free(struct vhdd_stats *stats)
{
	free(stats);
}

void vhdd_stats_reset(struct vhdd_stats *stats, int64_t now_ns, uint64_t lost_events,
		      const struct vhdd_writecache_counts *cache)
{
	uint64_t size_bytes = stats->size_bytes;
	unsigned int regions = stats->regions;

	memset(stats, 0, sizeof(*stats));
	stats->size_bytes = size_bytes;
	stats->regions = regions;
	stats->since_ns = now_ns;
	stats->lost_events_before = lost_events;
	stats->cache_before = *cache;
}

void vhdd_stats_set_regions(struct vhdd_stats *stats, unsigned int regions)
{
	stats->regions = regions;
	for (unsigned int i = 0; i < VHDD_MAX_REGIONS; i++)
		for (unsigned int class = 0; class < CLASSES; class++)
			stats->region_classes[i][class] = 0;
}

/* Classes 4 to 7 do not exist; the kernel refuses them. */
static unsigned int class_of(const struct vhdd_request *request)
{
	return hprio_ioprio_class(request->ioprio) % CLASSES;
}

void vhdd_stats_arrived(struct vhdd_stats *stats, const struct vhdd_request *request,
			enum vhdd_issue_match match)
{
	stats->matches[match]++;
	if (stats->regions) {
		uint64_t region_bytes = stats->size_bytes / stats->regions;
		uint64_t region = request->offset / region_bytes;

		/* The remainder of the division belongs to the last region. */
		if (region >= stats->regions)
			region = stats->regions - 1;
		stats->region_classes[region][class_of(request)]++;
	}
}

void vhdd_stats_way(struct vhdd_stats *stats, int64_t way_ns)
{
	vhdd_histogram_record(&stats->way, way_ns);
}

void vhdd_stats_held(struct vhdd_stats *stats, size_t held)
{
	if (held > stats->held_max)
		stats->held_max = held;
}

static void count_class(struct vhdd_stats *stats, const struct vhdd_request *request,
			int64_t now_ns, bool timed)
{
	unsigned int number = class_of(request);
	unsigned int level = hprio_ioprio_level(request->ioprio) % LEVELS;
	struct class_stats *class = &stats->classes[number][request->write];
	double service_ns = (double)(request->finish_ns - request->start_ns);

	vhdd_cdl_count(stats->cdl, &request->cdl);
	if (!request->cdl.unavailable) {
		vhdd_histogram_record(&class->latency, now_ns - request->arrival_ns);
		class->bytes += request->length;
		stats->level_bytes[number][level] += (double)request->length;
	}
	if (!timed)
		return;
	if (!request->cdl.unavailable)
		class->service_ns += service_ns;
	stats->level_busy_ns[number][level] += service_ns;
	stats->busy_ns += service_ns;
}

void vhdd_stats_answered(struct vhdd_stats *stats, const struct vhdd_request *request,
			 int64_t now_ns, bool timed)
{
	if (request->flush)
		vhdd_histogram_record(&stats->flushes, now_ns - request->arrival_ns);
	else
		count_class(stats, request, now_ns, timed);
	if (!timed) {
		stats->not_timed++;
		return;
	}
	vhdd_histogram_record(&stats->late_arrivals, request->late_ns);
	/* An early answer is as wrong as a late one. */
	vhdd_histogram_record(&stats->lateness, llabs(now_ns - request->answer_ns));
}

void vhdd_stats_failed(struct vhdd_stats *stats)
{
	stats->failed++;
}

static json_t *class_to_json(const struct class_stats *class, const char *name,
			     const char *direction, double elapsed_s)
{
	double count = (double)class->latency.count;

	return json_pack("{s:s, s:s, s:I, s:I, s:f, s:f, s:f, s:o}", "class", name, "operation",
			 direction, "count", (json_int_t)class->latency.count, "bytes",
			 (json_int_t)class->bytes, "iops", count / elapsed_s, "mb_per_s",
			 (double)class->bytes / BYTES_PER_MB / elapsed_s, "service_ms",
			 class->service_ns / count / NS_PER_MS, "latency_ms",
			 vhdd_histogram_to_json(&class->latency, ""));
}

static json_t *classes_to_json(const struct vhdd_stats *stats, double elapsed_s)
{
	json_t *array = json_array();

	for (unsigned int i = 0; i < CLASSES; i++)
		for (unsigned int j = 0; j < DIRECTIONS; j++)
			if (stats->classes[i][j].latency.count)
				json_array_append_new(array, class_to_json(&stats->classes[i][j],
									   class_names[i],
									   direction_names[j],
									   elapsed_s));
	return array;
}

/* What there is of each priority, as in "be:7", in a unit. */
static json_t *levels_to_json(const double levels[CLASSES][LEVELS], double unit)
{
	json_t *all = json_object();

	for (unsigned int class = 0; class < CLASSES; class++)
		for (unsigned int level = 0; level < LEVELS; level++) {
			double value = levels[class][level] / unit;
			char name[PRIORITY_SIZE];

			if (value <= 0)
				continue;
			hprio_ioprio_format(hprio_ioprio_make(class, level, 0), name, sizeof(name));
			/* Classes none and idle have no levels, whatever the kernel puts there. */
			value += json_number_value(json_object_get(all, name));
			json_object_set_new(all, name, json_real(value));
		}
	return all;
}

static json_t *regions_to_json(const struct vhdd_stats *stats)
{
	json_t *array = json_array();

	for (unsigned int i = 0; i < stats->regions; i++) {
		json_t *region = json_object();

		for (unsigned int class = 0; class < CLASSES; class++)
			json_object_set_new(
				region, class_names[class],
				json_integer((json_int_t)stats->region_classes[i][class]));
		json_array_append_new(array, region);
	}
	return array;
}

/* The descriptors that commands have used. */
static json_t *duration_limits_to_json(const struct vhdd_stats *stats)
{
	json_t *array = json_array();

	for (unsigned int i = 0; i < VHDD_CDL_DESCRIPTORS; i++) {
		const struct vhdd_cdl_counts *counts = &stats->cdl[i];

		if (counts->commands)
			json_array_append_new(
				array,
				json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:I}", "descriptor",
					  (int)i + 1, "commands", (json_int_t)counts->commands, "met",
					  (json_int_t)counts->met, "inactive_exceeded",
					  (json_int_t)counts->inactive, "active_exceeded",
					  (json_int_t)counts->active, "guideline_exceeded",
					  (json_int_t)counts->guideline, "unavailable",
					  (json_int_t)counts->unavailable));
	}
	return array;
}

static double destage_ns(const struct vhdd_stats *stats, const struct vhdd_writecache_counts *cache)
{
	return (double)(cache->destage_ns - stats->cache_before.destage_ns);
}

static json_t *writecache_to_json(const struct vhdd_stats *stats,
				  const struct vhdd_writecache_counts *cache, double elapsed_s)
{
	const struct vhdd_writecache_counts *before = &stats->cache_before;

	return json_pack("{s:I, s:I, s:I, s:f, s:I, s:o}", "dirty_bytes",
			 (json_int_t)cache->dirty_bytes, "destaged_bytes",
			 (json_int_t)(cache->destaged_bytes - before->destaged_bytes), "destages",
			 (json_int_t)(cache->destages - before->destages), "busy",
			 destage_ns(stats, cache) / NS_PER_S / elapsed_s, "flushes",
			 (json_int_t)stats->flushes.count, "flush_ms",
			 vhdd_histogram_to_json(&stats->flushes, ""));
}

static void require(json_t *reasons, bool holds, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void require(json_t *reasons, bool holds, const char *format, ...)
{
	va_list arguments;

	if (holds)
		return;
	va_start(arguments, format);
	json_array_append_new(reasons, json_vsprintf(format, arguments));
	va_end(arguments);
}

static void require_in_time(json_t *reasons, const struct vhdd_histogram *late, const char *what)
{
	int64_t p99 = vhdd_histogram_quantile(late, 0.99);
	int64_t p999 = vhdd_histogram_quantile(late, 0.999);

	require(reasons, p99 < LATE_P99_NS, "%s p99 is %.3f ms, allowed is below %.3f ms", what,
		(double)p99 / NS_PER_MS, LATE_P99_NS / NS_PER_MS);
	require(reasons, p999 < LATE_P999_NS, "%s p99.9 is %.3f ms, allowed is below %.3f ms", what,
		(double)p999 / NS_PER_MS, LATE_P999_NS / NS_PER_MS);
}

/* Why the counts cannot be trusted; empty: they can. */
static json_t *reasons_to_json(const struct vhdd_stats *stats, uint64_t lost)
{
	json_t *reasons = json_array();
	uint64_t missing = stats->matches[VHDD_ISSUE_MISSING];
	uint64_t wrong = stats->matches[VHDD_ISSUE_MISMATCHED];

	require(reasons, stats->lateness.count > 0, "no request was answered");
	require(reasons, !stats->not_timed, "%ju requests were answered with delays off",
		(uintmax_t)stats->not_timed);
	require(reasons, !missing, "%ju requests came without their priority", (uintmax_t)missing);
	require(reasons, !wrong, "%ju requests came with the priority of another one",
		(uintmax_t)wrong);
	require(reasons, !lost, "the kernel did not trace %ju requests", (uintmax_t)lost);
	require(reasons, !stats->failed, "%ju requests failed", (uintmax_t)stats->failed);
	require_in_time(reasons, &stats->late_arrivals, "requests arrived late:");
	require_in_time(reasons, &stats->lateness, "lateness");
	require(reasons, stats->held_max <= VHDD_QUEUE_TAGS,
		"the drive held %zu requests, a drive has %d tags", stats->held_max,
		VHDD_QUEUE_TAGS);
	return reasons;
}

json_t *vhdd_stats_to_json(const struct vhdd_stats *stats, int64_t now_ns, uint64_t lost_events,
			   const struct vhdd_writecache_counts *cache)
{
	uint64_t lost = lost_events - stats->lost_events_before;
	double elapsed_s = (double)(now_ns - stats->since_ns) / NS_PER_S;
	json_t *reasons = reasons_to_json(stats, lost);

	return json_pack("{s:f, s:o, s:f, s:o, s:o, s:I, s:{s:I, s:I, s:I, s:I, s:I}, s:I, s:I, s:o, "
			 "s:o, s:o, s:o, s:o, s:o, s:b, s:o}",
			 "elapsed_s", elapsed_s, "classes", classes_to_json(stats, elapsed_s), "busy",
			 (stats->busy_ns + destage_ns(stats, cache)) / NS_PER_S / elapsed_s,
			 "priorities_busy",
			 levels_to_json(stats->level_busy_ns, NS_PER_S * elapsed_s),
			 "priorities_mb_per_s",
			 levels_to_json(stats->level_bytes, BYTES_PER_MB * elapsed_s), "queue_max",
			 (json_int_t)stats->held_max, "priorities", "found",
			 (json_int_t)stats->matches[VHDD_ISSUE_FOUND], "continued",
			 (json_int_t)stats->matches[VHDD_ISSUE_CONTINUED], "missing",
			 (json_int_t)stats->matches[VHDD_ISSUE_MISSING], "wrong",
			 (json_int_t)stats->matches[VHDD_ISSUE_MISMATCHED], "lost",
			 (json_int_t)lost, "not_timed", (json_int_t)stats->not_timed, "failed",
			 (json_int_t)stats->failed, "lateness_ms",
			 vhdd_histogram_to_json(&stats->lateness, ""), "way_ms",
			 vhdd_histogram_to_json(&stats->way, ""), "late_arrival_ms",
			 vhdd_histogram_to_json(&stats->late_arrivals, ""), "regions", regions_to_json(stats),
			 "duration_limits", duration_limits_to_json(stats), "write_cache",
			 writecache_to_json(stats, cache, elapsed_s), "valid",
			 (int)(json_array_size(reasons) == 0), "reasons", reasons);
}
