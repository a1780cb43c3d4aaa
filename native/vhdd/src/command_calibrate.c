/* The command "vhdd calibrate": the drive model beside published measurements of real drives. */
#include "command.h"
#include "number.h"
#include "sim.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000

/* The presets; the order is that of preset_names. */
enum drive_id { DRIVE_SDC21, DRIVE_CDLTOOLS23, DRIVES };

static const char *const preset_names[DRIVES] = {"sdc21", "cdltools23"};

enum workload_id {
	QD1,
	QD3,
	QD32,
	PRIO_20,
	PRIO_30,
	PRIO_40,
	CDL_30,
	CDL_40,
	FOREGROUND_NCQ,
	FOREGROUND_PRIO,
	FOREGROUND_4K_NCQ,
	FOREGROUND_4K_PRIO,
	TB22_QD1,
	TB22_QD4,
	TB22_QD16,
	TB22_QD32,
	TB22_50_MS,
	TB22_TWO_QD4,
	TB22_TWO_QD8,
	TB22_TWO_QD32,
	WORKLOADS,
};

/* A share of the background's reads: of class RT; in mode cdl instead with a guideline. */
struct share {
	double share;
	int64_t guideline_ns;
};

/* Random reads. The foreground is of class RT. */
struct workload {
	enum drive_id drive;
	uint32_t request_bytes;
	unsigned background;
	unsigned foreground;
	enum vhdd_mode mode;
	struct share high[VHDD_SIM_SHARES];
};

/* The host has no class-aware scheduler in any of them: the published setups compare drives. */
static const struct workload workloads[WORKLOADS] = {
	[QD1] = {DRIVE_SDC21, 131072, 1, 0, VHDD_MODE_NCQ, {{0}}},
	[QD3] = {DRIVE_SDC21, 131072, 3, 0, VHDD_MODE_NCQ, {{0}}},
	[QD32] = {DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_NCQ, {{0}}},
	[PRIO_20] = {DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_PRIO, {{.share = 0.2}}},
	[PRIO_30] = {DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_PRIO, {{.share = 0.3}}},
	[PRIO_40] = {DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_PRIO, {{.share = 0.4}}},
	[CDL_30] = {DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_CDL, {{0.1, 100 * MS}, {0.2, 200 * MS}}},
	/* The shares of the three limits are not stated; these are the row above and 10 % at the talk's 30 ms. */
	[CDL_40] = {DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_CDL,
		    {{0.1, 30 * MS}, {0.1, 100 * MS}, {0.2, 200 * MS}}},
	[FOREGROUND_NCQ] = {DRIVE_SDC21, 131072, 32, 1, VHDD_MODE_NCQ, {{0}}},
	[FOREGROUND_PRIO] = {DRIVE_SDC21, 131072, 32, 1, VHDD_MODE_PRIO, {{0}}},
	[FOREGROUND_4K_NCQ] = {DRIVE_SDC21, 4096, 32, 1, VHDD_MODE_NCQ, {{0}}},
	[FOREGROUND_4K_PRIO] = {DRIVE_SDC21, 4096, 32, 1, VHDD_MODE_PRIO, {{0}}},
	[TB22_QD1] = {DRIVE_CDLTOOLS23, 131072, 1, 0, VHDD_MODE_CDL, {{0}}},
	[TB22_QD4] = {DRIVE_CDLTOOLS23, 131072, 4, 0, VHDD_MODE_CDL, {{0}}},
	[TB22_QD16] = {DRIVE_CDLTOOLS23, 131072, 16, 0, VHDD_MODE_CDL, {{0}}},
	[TB22_QD32] = {DRIVE_CDLTOOLS23, 131072, 32, 0, VHDD_MODE_CDL, {{0}}},
	[TB22_50_MS] = {DRIVE_CDLTOOLS23, 131072, 32, 0, VHDD_MODE_CDL, {{0.2, 50 * MS}}},
	[TB22_TWO_QD4] = {DRIVE_CDLTOOLS23, 131072, 4, 0, VHDD_MODE_CDL,
			    {{0.1, 100 * MS}, {0.2, 300 * MS}}},
	[TB22_TWO_QD8] = {DRIVE_CDLTOOLS23, 131072, 8, 0, VHDD_MODE_CDL,
			    {{0.1, 100 * MS}, {0.2, 300 * MS}}},
	[TB22_TWO_QD32] = {DRIVE_CDLTOOLS23, 131072, 32, 0, VHDD_MODE_CDL,
			     {{0.1, 100 * MS}, {0.2, 300 * MS}}},
};

enum metric {
	METRIC_IOPS, /* of all requests; the other metrics are of one class */
	METRIC_MEAN,
	METRIC_P99,
	METRIC_P9999,
	METRIC_P9999_GAIN, /* p99.99 of the baseline by that of the workload */
};

static const char *const units[] = {
	[METRIC_IOPS] = "IOPS", [METRIC_MEAN] = "ms",	  [METRIC_P99] = "ms",
	[METRIC_P9999] = "ms",	[METRIC_P9999_GAIN] = "x",
};

enum source_id { SDC21, IOPRIO17, LINUX16, CDLTOOLS23 };

static const char *const sources[] = {
	[SDC21] = "SNIA SDC 2021, Command Duration Limits in Linux",
	[IOPRIO17] = "HotStorage 2017, IOPriority: To The Device and Beyond",
	[LINUX16] = "linux-block 2016-10-17, Enabling ATA Command Priorities (Ultrastar He8)",
	[CDLTOOLS23] = "cdl-tools 2023, README.md and benchmark/ (a drive of 22 TB)",
};

/* One published number. This table is the only place that has them. */
struct published {
	enum source_id source;
	const char *what;
	enum workload_id workload;
	enum metric metric;
	enum vhdd_sim_class class; /* not for METRIC_IOPS */
	double value;
	double tolerance; /* relative; reproduced means within it */
	bool gated;
	enum workload_id baseline; /* METRIC_P9999_GAIN only */
	double floor;              /* if not 0: reproduced means at least this, whatever the value */
};

#define ALL VHDD_SIM_CLASSES
#define REST VHDD_SIM_BACKGROUND
#define HIGH VHDD_SIM_HIGH
#define HIGH2 (VHDD_SIM_HIGH + 1)
#define FOREGROUND VHDD_SIM_FOREGROUND

static const struct published table[] = {
	{SDC21, "128 KiB random reads, QD1", QD1, METRIC_IOPS, ALL, 81, 0.08, true, 0, 0},
	{SDC21, "128 KiB random reads, QD3", QD3, METRIC_IOPS, ALL, 110, 0.08, true, 0, 0},
	{SDC21, "128 KiB random reads, QD32", QD32, METRIC_IOPS, ALL, 188, 0.08, true, 0, 0},
	{SDC21, "128 KiB random reads, QD32, p99", QD32, METRIC_P99, REST, 575, 0.10, true, 0, 0},
	{SDC21, "NCQ priority, 20 % high", PRIO_20, METRIC_IOPS, ALL, 156, 0.08, true, 0, 0},
	/* From both sides: a drive that always puts class RT first would be too kind to it. */
	{SDC21, "NCQ priority, 20 % high, p99 of high", PRIO_20, METRIC_P99, HIGH, 50, 0.10, true,
	 0, 0},
	{SDC21, "NCQ priority, 30 % high", PRIO_30, METRIC_IOPS, ALL, 159, 0.08, false, 0, 0},
	{SDC21, "NCQ priority, 40 % high", PRIO_40, METRIC_IOPS, ALL, 158, 0.08, false, 0, 0},
	{SDC21, "CDL, 30 % with a limit", CDL_30, METRIC_IOPS, ALL, 165, 0.08, true, 0, 0},
	{SDC21, "CDL, 40 % with one of three limits", CDL_40, METRIC_IOPS, ALL, 165, 0.08, false, 0,
	 0},
	{IOPRIO17, "QD1 beside QD32, no drive priority, p99.99", FOREGROUND_NCQ, METRIC_P9999,
	 FOREGROUND, 1400, 0.10, false, 0, 0},
	{IOPRIO17, "QD1 RT beside QD32, drive priority, p99.99", FOREGROUND_PRIO, METRIC_P9999,
	 FOREGROUND, 81, 0.10, false, 0, 0},
	{IOPRIO17, "the same, p99.99 without by with (at least 10x)", FOREGROUND_PRIO,
	 METRIC_P9999_GAIN, FOREGROUND, 1400.0 / 81, 0, true, FOREGROUND_NCQ, 10},
	{LINUX16, "4 KiB QD1 beside QD32, no drive priority, p99.99", FOREGROUND_4K_NCQ,
	 METRIC_P9999, FOREGROUND, 2000, 0.10, false, 0, 0},
	{LINUX16, "4 KiB QD1 RT beside QD32, drive priority, p99.99", FOREGROUND_4K_PRIO,
	 METRIC_P9999, FOREGROUND, 72, 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD1", TB22_QD1, METRIC_IOPS, ALL, 82, 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD4", TB22_QD4, METRIC_IOPS, ALL, 97, 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD4, p99", TB22_QD4, METRIC_P99, REST, 65, 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD16", TB22_QD16, METRIC_IOPS, ALL, 141, 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD16, p99", TB22_QD16, METRIC_P99, REST, 185, 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD32", TB22_QD32, METRIC_IOPS, ALL, 165, 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD32, p99", TB22_QD32, METRIC_P99, REST, 323, 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD32, 20 % at 50 ms", TB22_50_MS, METRIC_IOPS, ALL, 154, 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD32, 20 % at 50 ms: mean of these", TB22_50_MS, METRIC_MEAN, HIGH, 34, 0.10,
	 false, 0, 0},
	{CDLTOOLS23, "22 TB, QD32, 20 % at 50 ms: p99 of these", TB22_50_MS, METRIC_P99, HIGH, 68.7, 0.10,
	 true, 0, 0},
	{CDLTOOLS23, "22 TB, QD32, 20 % at 50 ms: p99.99 of these", TB22_50_MS, METRIC_P9999, HIGH, 88.6,
	 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD32, 20 % at 50 ms: p99 of the rest", TB22_50_MS, METRIC_P99, REST, 435,
	 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD4, 10 % at 100 ms, 20 % at 300 ms: p99 at 100 ms", TB22_TWO_QD4,
	 METRIC_P99, HIGH, 92, 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD4, the same: p99 at 300 ms", TB22_TWO_QD4, METRIC_P99, HIGH2, 281, 0.10,
	 true, 0, 0},
	{CDLTOOLS23, "22 TB, QD8, the same: p99 at 100 ms", TB22_TWO_QD8, METRIC_P99, HIGH, 98, 0.10,
	 false, 0, 0},
	{CDLTOOLS23, "22 TB, QD8, the same: p99 at 300 ms", TB22_TWO_QD8, METRIC_P99, HIGH2, 293,
	 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD8, the same: p99 of the rest", TB22_TWO_QD8, METRIC_P99, REST, 82,
	 0.10, false, 0, 0},
	{CDLTOOLS23, "22 TB, QD32, the same: p99 at 100 ms", TB22_TWO_QD32, METRIC_P99, HIGH, 107, 0.10,
	 false, 0, 0},
	{CDLTOOLS23, "22 TB, QD32, the same: p99 at 300 ms", TB22_TWO_QD32, METRIC_P99, HIGH2, 302, 0.10,
	 false, 0, 0},
	{CDLTOOLS23, "22 TB, QD32, the same: p99 of the rest", TB22_TWO_QD32, METRIC_P99, REST, 369, 0.10,
	 false, 0, 0},
};

#define ROWS (sizeof(table) / sizeof(table[0]))

struct arguments {
	struct vhdd_params drives[DRIVES];
	bool left_out[DRIVES];
	uint64_t samples;
	uint64_t seed;
	bool json;
	bool no_gate;
};

static void configure_high(const struct workload *workload, struct vhdd_sim_config *config)
{
	for (unsigned i = 0; i < VHDD_SIM_SHARES; i++) {
		struct vhdd_cdl_limit *guideline = &config->drive.cdl[i].guideline;

		config->high[i].share = workload->high[i].share;
		config->high[i].ioprio = hprio_ioprio_make(HPRIO_CLASS_RT, 0, 0);
		if (workload->mode == VHDD_MODE_CDL) {
			config->high[i].ioprio = hprio_ioprio_make(HPRIO_CLASS_BE, 4, i + 1);
			guideline->ns = workload->high[i].guideline_ns;
		}
	}
}

static void configure(const struct workload *workload, const struct arguments *arguments,
		      struct vhdd_sim_config *config)
{
	vhdd_sim_defaults(config);
	config->drive = arguments->drives[workload->drive];
	config->drive.mode = workload->mode;
	config->request_bytes = workload->request_bytes;
	config->background = workload->background;
	config->foreground = workload->foreground;
	config->samples = arguments->samples;
	config->seed = arguments->seed;
	configure_high(workload, config);
}

static double quantile_ms(const struct vhdd_sim_result *result, enum vhdd_sim_class class, double q)
{
	return (double)vhdd_histogram_quantile(&result->latency[class], q) / MS;
}

/* results is by workload. */
static double ours(const struct published *row, const struct vhdd_sim_result *results)
{
	const struct vhdd_sim_result *result = &results[row->workload];

	switch (row->metric) {
	case METRIC_IOPS:
		return vhdd_sim_iops(result, ALL);
	case METRIC_MEAN:
		return vhdd_histogram_mean(&result->latency[row->class]) / MS;
	case METRIC_P99:
		return quantile_ms(result, row->class, 0.99);
	case METRIC_P9999:
		return quantile_ms(result, row->class, 0.9999);
	case METRIC_P9999_GAIN:
		return quantile_ms(&results[row->baseline], row->class, 0.9999) /
		       quantile_ms(result, row->class, 0.9999);
	}
	return NAN;
}

static bool reproduced(const struct published *row, double value)
{
	if (row->floor != 0)
		return value >= row->floor;
	return fabs(value / row->value - 1) <= row->tolerance;
}

static bool left_out(const struct published *row, const struct arguments *arguments)
{
	return arguments->left_out[workloads[row->workload].drive];
}

static bool gates_hold(const struct vhdd_sim_result *results, const struct arguments *arguments)
{
	for (size_t i = 0; i < ROWS; i++) {
		if (table[i].gated && !left_out(&table[i], arguments) &&
		    !reproduced(&table[i], ours(&table[i], results)))
			return false;
	}
	return true;
}

static void print_text(const struct vhdd_sim_result *results, const struct arguments *arguments)
{
	const struct published *before = NULL;

	for (size_t i = 0; i < ROWS; i++) {
		const struct published *row = &table[i];
		double value = ours(row, results);
		if (left_out(row, arguments))
			continue;
		if (before == NULL || row->source != before->source)
			printf("%s%s\n%-56s %9s %9s %6s\n", before == NULL ? "" : "\n",
			       sources[row->source], "", "published", "ours", "ratio");
		before = row;
		printf("%-56s %9.1f %9.1f %6.2f  %-4s %s%s\n", row->what, row->value, value,
		       value / row->value, units[row->metric],
		       reproduced(row, value) ? "reproduced" : "NOT reproduced",
		       row->gated ? ", gate" : "");
	}
	printf("\nGates: %s\n", gates_hold(results, arguments) ? "all hold" : "FAILED");
}

static json_t *row_to_json(const struct published *row, const struct vhdd_sim_result *results)
{
	double value = ours(row, results);
	json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:b, s:b}", "source",
				   sources[row->source], "what", row->what, "unit",
				   units[row->metric], "published", row->value, "ours", value,
				   "ratio", value / row->value, "gated", (int)row->gated,
				   "reproduced", (int)reproduced(row, value));

	if (object != NULL)
		json_object_set_new(object, row->floor != 0 ? "at_least" : "tolerance",
				    json_real(row->floor != 0 ? row->floor : row->tolerance));
	return object;
}

static json_t *results_to_json(const struct vhdd_sim_result *results,
			       const struct arguments *arguments)
{
	json_t *rows = json_array();
	json_t *drives = json_object();

	for (size_t i = 0; i < ROWS; i++)
		if (!left_out(&table[i], arguments))
			json_array_append_new(rows, row_to_json(&table[i], results));
	for (size_t i = 0; i < DRIVES; i++)
		if (!arguments->left_out[i])
			json_object_set_new(drives, preset_names[i],
					    vhdd_params_to_json(&arguments->drives[i]));
	return json_pack("{s:o, s:I, s:I, s:b, s:o}", "drives", drives, "samples",
			 (json_int_t)arguments->samples, "seed", (json_int_t)arguments->seed,
			 "gates_hold", (int)gates_hold(results, arguments), "rows", rows);
}

enum { OPTION_SEED = 256, OPTION_JSON, OPTION_NO_GATE, OPTION_PRESET };

static const struct argp_option options[] = {
	{"preset", OPTION_PRESET, "NAME", 0, "only the drive of this preset; first option", 0},
	{"set", 's', "KEY=VALUE", 0,
	 "set one parameter of the drives, but not mode and guidelines; may be repeated", 0},
	{"samples", 'n', "N", 0, "answers to record per workload (default 100000)", 0},
	{"seed", OPTION_SEED, "N", 0, "of the random numbers (default 1)", 0},
	{"json", OPTION_JSON, NULL, 0, "print JSON", 0},
	{"no-gate", OPTION_NO_GATE, NULL, 0, "exit with 0 also if a gated value is out of its tolerance", 0},
	{0},
};

static void choose_drive(struct arguments *arguments, const char *preset, struct argp_state *state)
{
	bool known = false;

	for (size_t i = 0; i < DRIVES; i++) {
		arguments->left_out[i] = strcmp(preset, preset_names[i]) != 0;
		known = known || !arguments->left_out[i];
	}
	if (!known)
		argp_error(state, "--preset=%s: allowed is %s or %s", preset, preset_names[0],
			   preset_names[1]);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	char error[1024];

	switch (key) {
	case OPTION_PRESET:
		choose_drive(arguments, text, state);
		break;
	case 's':
		for (size_t i = 0; i < DRIVES; i++)
			if (!arguments->left_out[i] &&
			    vhdd_params_assign(&arguments->drives[i], text, error, sizeof(error)))
				argp_error(state, "--set %s", error);
		break;
	case 'n':
		/* p99.99 of fewer is the maximum. */
		arguments->samples = hprio_whole_option(state, "samples", text, 10000, UINT32_MAX);
		break;
	case OPTION_SEED:
		arguments->seed = hprio_whole_option(state, "seed", text, 0, INT64_MAX);
		break;
	case OPTION_JSON:
		arguments->json = true;
		break;
	case OPTION_NO_GATE:
		arguments->no_gate = true;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "%s: no argument is expected", text);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int vhdd_calibrate_main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.doc = "Compare the drive model with published measurements of real drives; the "
		       "exit status is 1 if a gated value is out of its tolerance.",
	};
	struct arguments arguments = {.samples = 100000, .seed = 1};
	static struct vhdd_sim_result results[WORKLOADS];
	struct vhdd_sim_config config;
	char error[512];

	for (size_t i = 0; i < DRIVES; i++)
		vhdd_params_preset(&arguments.drives[i], preset_names[i]);
	if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
		return EXIT_FAILURE;
	for (size_t i = 0; i < WORKLOADS; i++) {
		if (arguments.left_out[workloads[i].drive])
			continue;
		configure(&workloads[i], &arguments, &config);
		if (vhdd_sim_run(&config, &results[i], error, sizeof(error)) != 0) {
			fprintf(stderr, "calibrate: %s\n", error);
			return EXIT_FAILURE;
		}
	}
	if (!arguments.json)
		print_text(results, &arguments);
	else if (hprio_print_json(stdout, results_to_json(results, &arguments)) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	return arguments.no_gate || gates_hold(results, &arguments) ? EXIT_SUCCESS : EXIT_FAILURE;
}
