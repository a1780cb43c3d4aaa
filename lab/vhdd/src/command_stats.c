// SPDX-License-Identifier: Apache-2.0
#include "command.h"
#include "queue.h"

#include <stdio.h>
#include <stdlib.h>

#define BYTES_PER_MB 1e6

struct arguments {
	struct vhdd_common common;
	const char *name;
	bool reset;
	bool gate;
};

#define OPTION_GATE 0x200

static const struct argp_option options[] = {
	{"reset", 'r', NULL, 0, "Reset the counts after printing them", 0},
	{"gate", OPTION_GATE, NULL, 0, "Exit with 1 if the counts are not valid", 0},
	{0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->common;
		return 0;
	case 'r':
		arguments->reset = true;
		return 0;
	case OPTION_GATE:
		arguments->gate = true;
		return 0;
	default:
		return vhdd_parse_name(key, argument, state, &arguments->name);
	}
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "-";
}

static double number_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static void print_classes(const json_t *classes)
{
	static const char *const quantiles[] = {"mean",	 "p50",	   "p95", "p99",
						"p99.9", "p99.99", "max"};
	size_t count = sizeof(quantiles) / sizeof(quantiles[0]);
	json_t *class;
	size_t i;

	printf("%-5s %-5s %9s %8s %7s %8s", "class", "", "requests", "IOPS", "MB/s", "service");
	for (size_t j = 0; j < count; j++)
		printf(" %8s", quantiles[j]);
	puts(" ms");
	json_array_foreach(classes, i, class) {
		printf("%-5s %-5s %9.0f %8.1f %7.1f %8.2f", text_of(class, "class"),
		       text_of(class, "operation"), number_of(class, "count"),
		       number_of(class, "iops"), number_of(class, "mb_per_s"),
		       number_of(class, "service_ms"));
		for (size_t j = 0; j < count; j++)
			printf(" %8.2f",
			       number_of(json_object_get(class, "latency_ms"), quantiles[j]));
		puts("");
	}
}

static void print_regions(const json_t *regions)
{
	json_t *region;
	size_t i;

	json_array_foreach(regions, i, region)
		printf("region %zu: none %.0f, rt %.0f, be %.0f, idle %.0f\n", i,
		       number_of(region, "none"), number_of(region, "rt"), number_of(region, "be"),
		       number_of(region, "idle"));
}

static void print_duration_limits(const json_t *descriptors)
{
	json_t *counts;
	size_t i;

	json_array_foreach(descriptors, i, counts)
		printf("duration limits %.0f: %.0f commands, %.0f met; exceeded: %.0f inactive, "
		       "%.0f active, %.0f guideline; %.0f ended without data\n",
		       number_of(counts, "descriptor"), number_of(counts, "commands"),
		       number_of(counts, "met"), number_of(counts, "inactive_exceeded"),
		       number_of(counts, "active_exceeded"), number_of(counts, "guideline_exceeded"),
		       number_of(counts, "unavailable"));
}

static void print_write_cache(const json_t *cache)
{
	const json_t *flush_ms = json_object_get(cache, "flush_ms");

	printf("write cache: %.1f MB dirty, %.1f MB written out in %.0f trips (busy %.1f %%); %.0f flushes: "
	       "mean %.2f, max %.2f ms\n",
	       number_of(cache, "dirty_bytes") / BYTES_PER_MB,
	       number_of(cache, "destaged_bytes") / BYTES_PER_MB, number_of(cache, "destages"),
	       number_of(cache, "busy") * 100, number_of(cache, "flushes"),
	       number_of(flush_ms, "mean"), number_of(flush_ms, "max"));
}

static void print_validity(const json_t *stats)
{
	const json_t *reasons = json_object_get(stats, "reasons");
	json_t *reason;
	size_t i;

	if (json_is_true(json_object_get(stats, "valid"))) {
		puts("valid: yes");
		return;
	}
	printf("valid: NO");
	json_array_foreach(reasons, i, reason)
		printf("%s%s", i ? "; " : ", ", json_string_value(reason));
	puts("");
}

static void print_times(const json_t *stats, const char *what, const char *key)
{
	const json_t *times = json_object_get(stats, key);

	printf("%s: p50 %.3f, p99 %.3f, p99.9 %.3f, max %.3f ms\n", what, number_of(times, "p50"),
	       number_of(times, "p99"), number_of(times, "p99.9"), number_of(times, "max"));
}

static void print_stats(const json_t *stats)
{
	const json_t *priorities = json_object_get(stats, "priorities");
	const json_t *queue = json_object_get(stats, "queue");

	printf("%s on %s: mode %s%s, %.1f s, busy %.1f %%, at most %.0f requests held\n",
	       text_of(stats, "name"), text_of(stats, "device"),
	       text_of(json_object_get(stats, "parameters"), "mode"),
	       json_is_true(json_object_get(stats, "timed")) ? "" : " (delays are off)",
	       number_of(stats, "elapsed_s"), number_of(stats, "busy") * 100,
	       number_of(stats, "queue_max"));
	printf("queue: %s, scheduler %s, nr_requests %s, read_ahead_kb %s, wbt_lat_usec %s\n",
	       text_of(queue, "write_cache"), text_of(queue, "scheduler"),
	       text_of(queue, "nr_requests"), text_of(queue, "read_ahead_kb"),
	       text_of(queue, "wbt_lat_usec"));
	print_classes(json_object_get(stats, "classes"));
	print_regions(json_object_get(stats, "regions"));
	print_duration_limits(json_object_get(stats, "duration_limits"));
	if (number_of(json_object_get(stats, "parameters"), "write_cache_bytes") > 0)
		print_write_cache(json_object_get(stats, "write_cache"));
	printf("priorities: %.0f found, %.0f continued, %.0f missing, %.0f wrong, %.0f lost\n",
	       number_of(priorities, "found"), number_of(priorities, "continued"),
	       number_of(priorities, "missing"), number_of(priorities, "wrong"),
	       number_of(priorities, "lost"));
	print_times(stats, "way to the drive", "way_ms");
	print_times(stats, "late arrivals", "late_arrival_ms");
	print_times(stats, "lateness", "lateness_ms");
	print_validity(stats);
}

/* The exit status. */
static int show(const struct arguments *arguments, const struct vhdd_paths *paths)
{
	json_t *stats = vhdd_ask(paths, json_pack("{s:s, s:b}", "operation", "stats", "reset",
						  (int)arguments->reset));
	int status = EXIT_SUCCESS;

	if (!stats)
		return EXIT_FAILURE;
	json_object_set_new(stats, "queue", vhdd_queue_to_json(text_of(stats, "device")));
	if (arguments->gate && !json_is_true(json_object_get(stats, "valid")))
		status = EXIT_FAILURE;
	if (arguments->common.json) {
		if (hprio_print_json(stdout, stats))
			status = EXIT_FAILURE;
		return status;
	}
	print_stats(stats);
	json_decref(stats);
	return status;
}

int vhdd_stats_main(int argc, char **argv)
{
	static const struct argp_child children[] = {{&vhdd_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "NAME",
		.doc = "Shows what passed through a disk since the last reset, per class, and "
		       "whether it is valid.\vLatency is from a request's arrival at the drive to "
		       "its answer; service is the part in which the drive worked on it. Lateness "
		       "is how much later than the model asked for an answer was given.",
		.children = children,
	};
	struct arguments arguments = {0};
	struct vhdd_paths paths;
	int status;

	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	status = vhdd_find_disk(&paths, &arguments.common, arguments.name);
	return status ? status : show(&arguments, &paths);
}
