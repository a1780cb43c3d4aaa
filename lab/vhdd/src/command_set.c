// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
	struct vhdd_common common;
	const char *name;
	json_t *assignments;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->common;
		return 0;
	case ARGP_KEY_ARG:
		if (!arguments->name)
			arguments->name = argument;
		else
			json_array_append_new(arguments->assignments, json_string(argument));
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_error(state, "expected NAME KEY=VALUE...");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static char *help(int key, const char *text, void *input)
{
	(void)input;
	return key == ARGP_KEY_HELP_EXTRA ? vhdd_keys_help(false) : (char *)text;
}

static const struct argp_child children[] = {{&vhdd_common_argp, 0, NULL, 0}, {0}};

/* The exit status. */
static int send_assignments(const struct arguments *arguments)
{
	struct vhdd_paths paths;
	int status = vhdd_find_disk(&paths, &arguments->common, arguments->name);
	json_t *reply;

	if (status)
		return status;
	reply = vhdd_ask(&paths, json_pack("{s:s, s:O}", "operation", "set", "assignments",
					   arguments->assignments));
	if (!reply)
		return EXIT_FAILURE;
	json_decref(reply);
	if (arguments->common.json)
		return hprio_print_json(stdout, json_pack("{s:s, s:O}", "name", arguments->name, "set",
						 arguments->assignments));
	return EXIT_SUCCESS;
}

int vhdd_set_main(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "NAME KEY=VALUE...",
		.doc = "Changes a disk while it is in use: all keys, or none if one is wrong.\v",
		.children = children,
		.help_filter = help,
	};
	struct arguments arguments = {.assignments = json_array()};
	int status;

	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	status = send_assignments(&arguments);
	json_decref(arguments.assignments);
	return status;
}

static error_t parse_load(int key, char *argument, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->common;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num == 0)
			arguments->name = argument;
		else if (state->arg_num == 1 && strcmp(argument, "on") == 0)
			json_array_append_new(arguments->assignments, json_string("timed=0"));
		else if (state->arg_num == 1 && strcmp(argument, "off") == 0)
			json_array_append_new(arguments->assignments, json_string("timed=1"));
		else
			argp_error(state, "\"%s\": allowed is on or off", argument);
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_error(state, "expected NAME on|off");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int vhdd_load_main(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse_load,
		.args_doc = "NAME on|off",
		.doc = "Switches a disk's delays off (load on) to fill it quickly, and on again "
		       "(load off).\vWhat the disk holds when delays are switched off is answered "
		       "at once. Statistics of that time are not valid: reset them afterwards.",
		.children = children,
	};
	struct arguments arguments = {.assignments = json_array()};
	int status;

	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	status = send_assignments(&arguments);
	json_decref(arguments.assignments);
	return status;
}
