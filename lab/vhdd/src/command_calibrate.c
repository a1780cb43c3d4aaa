// SPDX-License-Identifier: Apache-2.0
/* The command "vhdd calibrate": the drive model beside published measurements of real drives. */
#include "command.h"
#include "number.h"
#include "published.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000
#define BLOCK_BYTES 4096
#define PARTS 32 /* of enum vhdd_disk_part */

static const char *const units[] = {
	[VHDD_METRIC_IOPS] = "IOPS", [VHDD_METRIC_MEAN] = "ms",	     [VHDD_METRIC_P99] = "ms",
	[VHDD_METRIC_P9999] = "ms",  [VHDD_METRIC_P9999_GAIN] = "x", [VHDD_METRIC_RATE] = "MB/s",
	[VHDD_METRIC_RATE_RATIO] = "x",
};

struct arguments {
	struct vhdd_params drives[VHDD_PUBLISHED_DRIVES];
	bool left_out[VHDD_PUBLISHED_DRIVES];
	uint64_t samples;
	uint64_t seed;
	bool json;
	bool no_gate;
};

/* The tables, and what the model makes of each load; a load of a drive that is left out has no result. */
struct comparison {
	const struct arguments *arguments;
	const struct vhdd_load *loads;
	const struct vhdd_published *rows;
	size_t load_count;
	size_t row_count;
	struct vhdd_sim_result *results; /* by load */
};

static void configure_high(const struct vhdd_load *load, struct vhdd_sim_config *config)
{
	for (unsigned i = 0; i < VHDD_SIM_SHARES; i++) {
		struct vhdd_cdl_limit *guideline = &config->drive.cdl[i].guideline;

		config->high[i].share = load->high[i].share;
		config->high[i].ioprio = hprio_ioprio_make(HPRIO_CLASS_RT, 0, 0);
		if (load->mode == VHDD_MODE_CDL) {
			config->high[i].ioprio = hprio_ioprio_make(HPRIO_CLASS_BE, 4, i + 1);
			guideline->ns = load->high[i].guideline_ns;
		}
	}
}

static void configure_part(enum vhdd_disk_part part, struct vhdd_sim_config *config)
{
	uint64_t bytes = config->drive.size_bytes / PARTS / BLOCK_BYTES * BLOCK_BYTES;

	if (part == VHDD_DISK_ALL)
		return;
	config->background_bytes = bytes;
	if (part == VHDD_DISK_INNERMOST)
		config->background_offset = (PARTS - 1) * bytes;
}

static void configure(const struct vhdd_load *load, const struct arguments *arguments,
		      struct vhdd_sim_config *config)
{
	vhdd_sim_defaults(config);
	config->drive = arguments->drives[load->drive];
	config->drive.mode = load->mode;
	config->request_bytes = load->request_bytes;
	config->background = load->background;
	config->foreground = load->foreground;
	config->background_places = load->places;
	config->background_write = load->write;
	config->background_fua = load->fua;
	config->foreground_rate = load->foreground_rate;
	config->samples = arguments->samples;
	if (load->most_samples != 0 && load->most_samples < config->samples)
		config->samples = load->most_samples;
	config->seed = arguments->seed;
	configure_part(load->part, config);
	configure_high(load, config);
}

static double quantile_ms(const struct vhdd_sim_result *result, enum vhdd_sim_class class, double q)
{
	return (double)vhdd_histogram_quantile(&result->latency[class], q) / MS;
}

static double rate(const struct comparison *all, unsigned load, enum vhdd_sim_class class)
{
	return vhdd_sim_iops(&all->results[load], class) * all->loads[load].request_bytes / 1e6;
}

static double ours(const struct comparison *all, const struct vhdd_published *row)
{
	const struct vhdd_sim_result *result = &all->results[row->load];

	switch (row->metric) {
	case VHDD_METRIC_IOPS:
		return vhdd_sim_iops(result, VHDD_SIM_CLASSES);
	case VHDD_METRIC_MEAN:
		return vhdd_histogram_mean(&result->latency[row->class]) / MS;
	case VHDD_METRIC_P99:
		return quantile_ms(result, row->class, 0.99);
	case VHDD_METRIC_P9999:
		return quantile_ms(result, row->class, 0.9999);
	case VHDD_METRIC_P9999_GAIN:
		return quantile_ms(&all->results[row->baseline], row->class, 0.9999) /
		       quantile_ms(result, row->class, 0.9999);
	case VHDD_METRIC_RATE:
		return rate(all, row->load, row->class);
	case VHDD_METRIC_RATE_RATIO:
		return rate(all, row->load, row->class) / rate(all, row->baseline, row->class);
	}
	return NAN;
}

static bool reproduced(const struct vhdd_published *row, double value)
{
	if (row->floor != 0)
		return value >= row->floor;
	return fabs(value / row->value - 1) <= row->tolerance;
}

static bool left_out(const struct comparison *all, const struct vhdd_published *row)
{
	return all->arguments->left_out[all->loads[row->load].drive];
}

static bool gates_hold(const struct comparison *all)
{
	for (size_t i = 0; i < all->row_count; i++) {
		const struct vhdd_published *row = &all->rows[i];

		if (row->gated && !left_out(all, row) && !reproduced(row, ours(all, row)))
			return false;
	}
	return true;
}

static void print_row(const struct vhdd_published *row, double value)
{
	if (row->value == 0) {
		printf("%-56s %9s %9.1f %6s  %-4s not published\n", row->what, "-", value, "-",
		       units[row->metric]);
		return;
	}
	printf("%-56s %9.1f %9.1f %6.2f  %-4s %s%s\n", row->what, row->value, value,
	       value / row->value, units[row->metric],
	       reproduced(row, value) ? "reproduced" : "NOT reproduced", row->gated ? ", gate" : "");
}

static void print_text(const struct comparison *all)
{
	const char *source = NULL;

	for (size_t i = 0; i < all->row_count; i++) {
		const struct vhdd_published *row = &all->rows[i];

		if (left_out(all, row))
			continue;
		if (row->source != source)
			printf("%s%s\n%-56s %9s %9s %6s\n", source == NULL ? "" : "\n",
			       row->source, "", "published", "ours", "ratio");
		source = row->source;
		print_row(row, ours(all, row));
	}
	printf("\nGates: %s\n", gates_hold(all) ? "all hold" : "FAILED");
}

/* What is not published has no verdict. */
static json_t *row_to_json(const struct vhdd_published *row, double value)
{
	json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:b, s:b}", "source", row->source, "what",
				   row->what, "unit", units[row->metric], "ours", value, "gated",
				   (int)row->gated, "is_published", (int)(row->value != 0));

	if (object == NULL || row->value == 0)
		return object;
	json_object_set_new(object, "published", json_real(row->value));
	json_object_set_new(object, "ratio", json_real(value / row->value));
	json_object_set_new(object, "reproduced", json_boolean(reproduced(row, value)));
	json_object_set_new(object, row->floor != 0 ? "at_least" : "tolerance",
			    json_real(row->floor != 0 ? row->floor : row->tolerance));
	return object;
}

static json_t *comparison_to_json(const struct comparison *all)
{
	const struct arguments *arguments = all->arguments;
	json_t *rows = json_array();
	json_t *drives = json_object();

	for (size_t i = 0; i < all->row_count; i++)
		if (!left_out(all, &all->rows[i]))
			json_array_append_new(rows,
					      row_to_json(&all->rows[i], ours(all, &all->rows[i])));
	for (size_t i = 0; i < VHDD_PUBLISHED_DRIVES; i++)
		if (!arguments->left_out[i])
			json_object_set_new(drives, vhdd_published_presets[i],
					    vhdd_params_to_json(&arguments->drives[i]));
	return json_pack("{s:o, s:I, s:I, s:b, s:o}", "drives", drives, "samples",
			 (json_int_t)arguments->samples, "seed", (json_int_t)arguments->seed,
			 "gates_hold", (int)gates_hold(all), "rows", rows);
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

	for (size_t i = 0; i < VHDD_PUBLISHED_DRIVES; i++) {
		arguments->left_out[i] = strcmp(preset, vhdd_published_presets[i]) != 0;
		known = known || !arguments->left_out[i];
	}
	if (!known)
		argp_error(state, "--preset=%s: allowed is %s or %s", preset, vhdd_published_presets[0],
			   vhdd_published_presets[1]);
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
		for (size_t i = 0; i < VHDD_PUBLISHED_DRIVES; i++)
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

static int run_loads(struct comparison *all)
{
	struct vhdd_sim_config config;
	char error[512];

	for (size_t i = 0; i < all->load_count; i++) {
		if (all->arguments->left_out[all->loads[i].drive])
			continue;
		configure(&all->loads[i], all->arguments, &config);
		if (vhdd_sim_run(&config, &all->results[i], error, sizeof(error)) != 0) {
			fprintf(stderr, "calibrate: %s\n", error);
			return EXIT_FAILURE;
		}
	}
	return EXIT_SUCCESS;
}

/* A table with a hole is refused as a whole: what is missing could be a gate. */
static bool has_hole(const struct comparison *all)
{
	for (size_t i = 0; i < all->row_count; i++) {
		const char *hole = vhdd_published_hole(&all->rows[i], all->load_count);

		if (hole != NULL) {
			fprintf(stderr, "calibrate: row %zu, \"%s\": %s\n", i + 1,
				all->rows[i].what == NULL ? "" : all->rows[i].what, hole);
			return true;
		}
	}
	return false;
}

static int compare(const struct arguments *arguments)
{
	struct comparison all = {.arguments = arguments};
	int status;

	all.loads = vhdd_published_loads(&all.load_count);
	all.rows = vhdd_published_rows(&all.row_count);
	if (has_hole(&all))
		return EXIT_FAILURE;
	all.results = calloc(all.load_count, sizeof(*all.results));
	if (all.results == NULL) {
		fprintf(stderr, "calibrate: no memory\n");
		return EXIT_FAILURE;
	}
	status = run_loads(&all);
	if (status == EXIT_SUCCESS && arguments->json)
		status = hprio_print_json(stdout, comparison_to_json(&all));
	else if (status == EXIT_SUCCESS)
		print_text(&all);
	if (status == EXIT_SUCCESS && !arguments->no_gate && !gates_hold(&all))
		status = EXIT_FAILURE;
	free(all.results);
	return status;
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

	for (size_t i = 0; i < VHDD_PUBLISHED_DRIVES; i++)
		vhdd_params_preset(&arguments.drives[i], vhdd_published_presets[i]);
	if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
		return EXIT_FAILURE;
	return compare(&arguments);
}
