// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include "control.h"
#include "params.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL_MS 5000

#define OPTION_RUN_DIR 0x100
#define OPTION_JSON 0x101

static const struct argp_option common_options[] = {
	{"run-dir", OPTION_RUN_DIR, "DIR", 0,
	 "Where the state of disks is kept, default $" VHDD_RUN_DIR_VARIABLE
	 " or " VHDD_RUN_DIR_DEFAULT, 0},
	{"json", OPTION_JSON, NULL, 0, "Print JSON", 0},
	{0},
};

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
	struct vhdd_common *common = state->input;

	switch (key) {
	case OPTION_RUN_DIR:
		common->run_dir = argument;
		return 0;
	case OPTION_JSON:
		common->json = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp vhdd_common_argp = {.options = common_options, .parser = parse_common};

error_t vhdd_parse_name(int key, char *argument, struct argp_state *state, const char **name)
{
	switch (key) {
	case ARGP_KEY_ARG:
		if (state->arg_num > 0)
			argp_error(state, "\"%s\": only one NAME", argument);
		*name = argument;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "the disk's NAME is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int vhdd_find_disk(struct vhdd_paths *paths, const struct vhdd_common *common, const char *name)
{
	if (vhdd_paths_init(paths, vhdd_run_dir(common->run_dir), name))
		return HPRIO_EXIT_USAGE;
	if (vhdd_paths_exist(paths))
		return 0;
	warnx("there is no disk \"%s\" in %s; \"vhdd list\" shows all", name, paths->root);
	return EXIT_FAILURE;
}

static void explain_silence(const struct vhdd_paths *paths, int error)
{
	if (error == ENOENT || error == ECONNREFUSED)
		warnx("%s: its daemon does not run; see %s, \"vhdd destroy %s\" cleans up",
		      paths->name, paths->log, paths->name);
	else if (error == ETIMEDOUT)
		warnx("%s: its daemon does not answer; \"vhdd abort %s\" makes pending requests fail",
		      paths->name, paths->name);
	else
		warnx("%s: cannot ask its daemon: %s", paths->name, strerror(error));
}

json_t *vhdd_ask(const struct vhdd_paths *paths, json_t *request)
{
	json_t *reply = vhdd_control_call(paths->socket, request, CALL_MS);

	if (!reply) {
		explain_silence(paths, errno);
		return NULL;
	}
	if (json_is_true(json_object_get(reply, "ok"))) {
		json_object_del(reply, "ok");
		return reply;
	}
	warnx("%s: %s", paths->name, json_string_value(json_object_get(reply, "error")));
	json_decref(reply);
	return NULL;
}

char *vhdd_keys_help(bool for_create)
{
	struct vhdd_params defaults;
	size_t count;
	const struct vhdd_param_info *table = vhdd_params_table(&count);
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	vhdd_params_preset(&defaults, vhdd_params_presets()[0]);
	if (for_create) {
		fputs("Presets:", stream);
		for (const char *const *preset = vhdd_params_presets(); *preset; preset++)
			fprintf(stream, " %s", *preset);
		fputs("\n\n", stream);
	}
	fprintf(stream, "Keys of the model, with the value of preset %s:\n",
		vhdd_params_presets()[0]);
	for (size_t i = 0; i < count; i++) {
		char allowed[128];
		char value[64];

		if (!for_create && !table[i].live)
			continue;
		fprintf(stream, "  %s=%s\n      %s; %s\n", table[i].key,
			vhdd_param_value(&defaults, &table[i], value, sizeof(value)),
			table[i].description,
			vhdd_param_allowed(&table[i], allowed, sizeof(allowed)));
	}
	if (!for_create)
		fprintf(stream,
			"Keys of the daemon:\n"
			"  timed=1\n      1: requests take the model's time, 0: none; 0 or 1\n"
			"  regions=0\n      count classes in so many equal parts of the disk; "
			"a number from 0 to 64\n");
	fclose(stream);
	return text;
}

const char *vhdd_format_bytes(uint64_t bytes, char *text, size_t size)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	double value = (double)bytes;
	size_t unit = 0;

	while (value >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		value /= 1024;
		unit++;
	}
	snprintf(text, size, "%.1f %s", value, units[unit]);
	return text;
}
