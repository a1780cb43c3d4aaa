// SPDX-License-Identifier: Apache-2.0
/* The command "vhdd sim": options to a configuration, and the result as text or JSON. */
#include "command.h"
#include "feed.h"
#include "number.h"
#include "plausible.h"
#include "sim.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#define MS_NS 1e6

enum {
	OPTION_PRESET = 256,
	OPTION_HOST,
	OPTION_TAGS,
	OPTION_HOST_TIME,
	OPTION_BACKGROUND_PRIO,
	OPTION_SEQUENTIAL,
	OPTION_HIGH_SHARE,
	OPTION_HIGH_PRIO,
	OPTION_FOREGROUND_RATE,
	OPTION_FOREGROUND_PRIO,
	OPTION_WARMUP,
	OPTION_SEED,
	OPTION_JSON,
	OPTION_KEYS,
	OPTION_REQUESTS,
};

struct arguments {
	struct vhdd_sim_config config;
	bool json;
	bool keys;
	bool requests;
};

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "Drive", 1},
	{"preset", OPTION_PRESET, "NAME", 0,
	 "start from this preset (default sdc21); first option", 1},
	{"mode", 'm', "MODE", 0, "ncq, prio or cdl; same as --set mode=MODE", 1},
	{"set", 's', "KEY=VALUE", 0, "set one parameter of the drive; may be repeated", 1},
	{"keys", OPTION_KEYS, NULL, 0,
	 "list the parameters and their values (with --json also between which values each is "
	 "plausible), then exit",
	 1},
	{NULL, 0, NULL, 0, "Host", 2},
	{"host", OPTION_HOST, "NAME", 0, "scheduler: none (default) or mq-deadline", 2},
	{"tags", OPTION_TAGS, "N", 0, "requests that the drive may hold (default 32)", 2},
	{"host-time", OPTION_HOST_TIME, "NS", 0,
	 "from an answer to a client's next request (default 60000)", 2},
	{NULL, 0, NULL, 0, "Load: random reads", 3},
	{"request-size", 'r', "BYTES", 0, "size of every read (default 131072)", 3},
	{"background", 'b', "N", 0, "background clients, one request each (default 1)", 3},
	{"background-prio", OPTION_BACKGROUND_PRIO, "PRIO", 0, "default none", 3},
	{"background-sequential", OPTION_SEQUENTIAL, NULL, 0,
	 "each background client reads a stream", 3},
	{"high-share", OPTION_HIGH_SHARE, "SHARE", 0,
	 "share of background requests with the high priority, 0 to 1", 3},
	{"high-prio", OPTION_HIGH_PRIO, "PRIO", 0, "default rt:0", 3},
	{"foreground", 'f', "N", 0, "foreground clients, one request each (default 0)", 3},
	{"foreground-rate", OPTION_FOREGROUND_RATE, "R", 0,
	 "foreground as a Poisson process of R requests per second", 3},
	{"foreground-prio", OPTION_FOREGROUND_PRIO, "PRIO", 0, "default rt:0", 3},
	{"requests", OPTION_REQUESTS, NULL, 0,
	 "instead: reads from a program, which says when time passes; see below", 3},
	{NULL, 0, NULL, 0, "Run", 4},
	{"samples", 'n', "N", 0,
	 "answers to record, of the foreground if there is one (default 100000)", 4},
	{"warmup", OPTION_WARMUP, "N", 0, "answers before that (default 1000)", 4},
	{"seed", OPTION_SEED, "N", 0, "of the random numbers (default 1)", 4},
	{"json", OPTION_JSON, NULL, 0, "print JSON", 4},
	{0},
};

static const char documentation[] =
	"Run the drive model under a load in virtual time and print each class's latencies.\v"
	"PRIO is none, idle, rt, rt:0 to rt:7, be, be:0 to be:7; +1 to +7 after it is a duration "
	"limit, as in be:4+1.\n"
	"Example: vhdd sim --mode prio --host mq-deadline --background 32 --foreground-rate 15\n\n"
	"With --requests, a line \"r NUMBER OFFSET LENGTH PRIO\" of the standard input is a read that "
	"comes now, and \"t NS\" lets time pass until the next answer, at most until NS (from 0). To "
	"each of the latter there is a line out: \"a NUMBER NS\" for an answer, or \"t NS\" for none.";

/* A number from 0 to max; anything else ends the command with a message. */
static double number(const char *text, const char *option, double max, struct argp_state *state)
{
	char *end;
	double value = strtod(text, &end);

	if (strchr(".0123456789", text[0]) == NULL || *end != '\0' || end == text ||
	    !(value <= max))
		argp_error(state, "--%s=%s: allowed is a number from 0 to %g", option, text, max);
	return value;
}

static void set_param(struct arguments *arguments, const char *assignment, struct argp_state *state)
{
	char error[1024];

	if (vhdd_params_assign(&arguments->config.drive, assignment, error, sizeof(error)) != 0)
		argp_error(state, "--set %s", error);
}

static void set_mode(struct arguments *arguments, const char *mode, struct argp_state *state)
{
	char error[1024];

	if (vhdd_params_set(&arguments->config.drive, "mode", mode, error, sizeof(error)) != 0)
		argp_error(state, "--%s", error);
}

static uint16_t priority(const char *text, const char *option, struct argp_state *state)
{
	char error[512];
	uint16_t ioprio = 0;

	if (hprio_ioprio_parse(text, true, &ioprio, error, sizeof(error)) != 0)
		argp_error(state, "--%s=%s", option, error);
	return ioprio;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	struct vhdd_sim_config *config = &arguments->config;

	switch (key) {
	case OPTION_PRESET:
		if (vhdd_params_preset(&config->drive, text) != 0)
			argp_error(state, "--preset=%s: allowed is %s or %s", text,
				   vhdd_params_presets()[0], vhdd_params_presets()[1]);
		break;
	case 'm':
		set_mode(arguments, text, state);
		break;
	case 's':
		set_param(arguments, text, state);
		break;
	case OPTION_KEYS:
		arguments->keys = true;
		break;
	case OPTION_HOST:
		if (vhdd_host_scheduler_parse(text, &config->host) != 0)
			argp_error(state, "--host=%s: allowed is none or mq-deadline", text);
		break;
	case OPTION_TAGS:
		config->tags = (unsigned)hprio_whole_option(state, "tags", text, 0, 65536);
		break;
	case OPTION_HOST_TIME:
		config->host_ns = (int64_t)hprio_whole_option(state, "host-time", text, 0, 1000000000);
		break;
	case 'r':
		config->request_bytes = (uint32_t)hprio_whole_option(state, "request-size", text, 0, 1u << 30);
		break;
	case 'b':
		config->background = (unsigned)hprio_whole_option(state, "background", text, 0, 65536);
		break;
	case OPTION_BACKGROUND_PRIO:
		config->background_ioprio = priority(text, "background-prio", state);
		break;
	case OPTION_SEQUENTIAL:
		config->background_places = VHDD_SIM_STREAMS;
		break;
	case OPTION_HIGH_SHARE:
		config->high[0].share = number(text, "high-share", 1, state);
		break;
	case OPTION_HIGH_PRIO:
		config->high[0].ioprio = priority(text, "high-prio", state);
		break;
	case 'f':
		config->foreground = (unsigned)hprio_whole_option(state, "foreground", text, 0, 65536);
		break;
	case OPTION_FOREGROUND_RATE:
		config->foreground_rate = number(text, "foreground-rate", 1e6, state);
		break;
	case OPTION_FOREGROUND_PRIO:
		config->foreground_ioprio = priority(text, "foreground-prio", state);
		break;
	case 'n':
		config->samples = hprio_whole_option(state, "samples", text, 0, UINT32_MAX);
		break;
	case OPTION_WARMUP:
		config->warmup = hprio_whole_option(state, "warmup", text, 0, UINT32_MAX);
		break;
	case OPTION_SEED:
		config->seed = hprio_whole_option(state, "seed", text, 0, INT64_MAX);
		break;
	case OPTION_REQUESTS:
		arguments->requests = true;
		break;
	case OPTION_JSON:
		arguments->json = true;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "%s: no argument is expected", text);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void print_keys(const struct vhdd_params *params)
{
	size_t count;
	const struct vhdd_param_info *info = vhdd_params_table(&count);
	char value[64];
	char allowed[200];

	for (size_t i = 0; i < count; i++) {
		printf("%s=%s\n    %s%s\n    %s\n", info[i].key,
		       vhdd_param_value(params, &info[i], value, sizeof(value)), info[i].description,
		       info[i].live ? "; can change while in use" : "",
		       vhdd_param_allowed(&info[i], allowed, sizeof(allowed)));
	}
}

static const char *const class_names[VHDD_SIM_CLASSES] = {
	[VHDD_SIM_BACKGROUND] = "background",
	[VHDD_SIM_HIGH] = "high",
	[VHDD_SIM_HIGH + 1] = "high2",
	[VHDD_SIM_HIGH + 2] = "high3",
	[VHDD_SIM_FOREGROUND] = "foreground",
};

static json_t *class_to_json(const struct vhdd_sim_result *result, enum vhdd_sim_class class)
{
	json_t *json = json_pack("{s:I, s:f}", "n", (json_int_t)result->latency[class].count, "iops",
				 vhdd_sim_iops(result, class));

	json_object_update_new(json, vhdd_histogram_to_json(&result->latency[class], "_ms"));
	return json;
}

static json_t *config_to_json(const struct vhdd_sim_config *config)
{
	char background[32];
	char high[32];
	char foreground[32];

	return json_pack(
		"{s:s, s:I, s:I, s:I, s:I, s:s, s:b, s:f, s:s, s:I, s:f, s:s, s:I, s:I, s:I}",
		"host", vhdd_host_scheduler_name(config->host), "tags", (json_int_t)config->tags,
		"host_ns", (json_int_t)config->host_ns, "request_bytes",
		(json_int_t)config->request_bytes, "background", (json_int_t)config->background,
		"background_ioprio",
		hprio_ioprio_format(config->background_ioprio, background, sizeof(background)),
		"background_sequential", (int)(config->background_places == VHDD_SIM_STREAMS), "high_share",
		config->high[0].share, "high_ioprio",
		hprio_ioprio_format(config->high[0].ioprio, high, sizeof(high)), "foreground",
		(json_int_t)config->foreground, "foreground_rate", config->foreground_rate,
		"foreground_ioprio",
		hprio_ioprio_format(config->foreground_ioprio, foreground, sizeof(foreground)),
		"samples", (json_int_t)config->samples, "warmup", (json_int_t)config->warmup, "seed",
		(json_int_t)config->seed);
}

static json_t *result_to_json(const struct vhdd_sim_config *config,
			      const struct vhdd_sim_result *result)
{
	json_t *classes = json_object();

	for (unsigned i = 0; i < VHDD_SIM_CLASSES; i++)
		if (result->latency[i].count > 0)
			json_object_set_new(classes, class_names[i], class_to_json(result, i));
	return json_pack("{s:o, s:o, s:f, s:f, s:I, s:o}", "config", config_to_json(config),
			 "drive", vhdd_params_to_json(&config->drive), "duration_s",
			 (double)result->duration_ns / 1e9, "iops",
			 vhdd_sim_iops(result, VHDD_SIM_CLASSES), "max_queue",
			 (json_int_t)result->max_queue, "classes", classes);
}

static void print_text(const struct vhdd_sim_config *config, const struct vhdd_sim_result *result)
{
	printf("mode %s, host %s, %u tags, %.0f s of disk time, %.1f requests/s, queue <= %zu\n",
	       vhdd_mode_name(config->drive.mode), vhdd_host_scheduler_name(config->host),
	       config->tags, (double)result->duration_ns / 1e9,
	       vhdd_sim_iops(result, VHDD_SIM_CLASSES), result->max_queue);
	printf("%-12s %9s %8s %9s", "class", "n", "iops", "mean_ms");
	for (size_t i = 0; i < VHDD_QUANTILES; i++)
		printf(" %6s_ms", vhdd_quantiles[i].name);
	printf(" %9s\n", "max_ms");
	for (unsigned class = 0; class < VHDD_SIM_CLASSES; class++) {
		const struct vhdd_histogram *latency = &result->latency[class];

		if (latency->count == 0)
			continue;
		printf("%-12s %9llu %8.1f %9.2f", class_names[class],
		       (unsigned long long)latency->count, vhdd_sim_iops(result, class),
		       vhdd_histogram_mean(latency) / MS_NS);
		for (size_t i = 0; i < VHDD_QUANTILES; i++)
			printf(" %9.2f", vhdd_histogram_quantile(latency, vhdd_quantiles[i].share) /
						MS_NS);
		printf(" %9.2f\n", (double)vhdd_histogram_max(latency) / MS_NS);
	}
}

static int fail(const char *error)
{
	fprintf(stderr, "sim: %s\n", error);
	return EXIT_FAILURE;
}

static int show_keys(const struct arguments *arguments)
{
	const struct vhdd_params *params = &arguments->config.drive;
	char error[512];

	if (vhdd_params_check(params, error, sizeof(error)) != 0)
		return fail(error);
	if (arguments->json)
		return hprio_print_json(stdout, vhdd_plausible_to_json(params));
	print_keys(params);
	return EXIT_SUCCESS;
}

static int take_requests(const struct vhdd_sim_config *config)
{
	char error[512];

	if (vhdd_feed_run(&config->drive, config->host, config->tags, stdin, stdout, error,
			  sizeof(error)) != 0)
		return fail(error);
	return EXIT_SUCCESS;
}

int vhdd_sim_main(int argc, char **argv)
{
	static const struct argp argp = {.options = options, .parser = parse, .doc = documentation};
	struct arguments arguments = {0};
	struct vhdd_sim_result result;
	char error[512];

	vhdd_sim_defaults(&arguments.config);
	if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
		return EXIT_FAILURE;
	if (arguments.keys)
		return show_keys(&arguments);
	if (arguments.requests)
		return take_requests(&arguments.config);
	if (vhdd_sim_run(&arguments.config, &result, error, sizeof(error)) != 0)
		return fail(error);
	if (arguments.json)
		return hprio_print_json(stdout, result_to_json(&arguments.config, &result));
	print_text(&arguments.config, &result);
	return EXIT_SUCCESS;
}
