// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <argp.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

static void usage(const struct hprio_program *program, FILE *stream)
{
	fprintf(stream, "Usage: %s %s\n%s\n\n", program->name, program->synopsis, program->summary);
	for (size_t i = 0; i < program->count; i++)
		fprintf(stream, "  %-10s %s\n", program->commands[i].name,
			program->commands[i].summary);
	fprintf(stream, "\n\"%s COMMAND --help\" describes a command.\n", program->name);
}

int hprio_run_command(const struct hprio_program *program, int argc, char **argv)
{
	char full_name[64];

	argp_err_exit_status = HPRIO_EXIT_USAGE;
	if (argc < 2) {
		usage(program, stderr);
		return HPRIO_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		usage(program, stdout);
		return EXIT_SUCCESS;
	}
	for (size_t i = 0; i < program->count; i++) {
		if (strcmp(argv[1], program->commands[i].name))
			continue;
		snprintf(full_name, sizeof(full_name), "%s %s", program->name,
			 program->commands[i].name);
		argv[1] = full_name;
		return program->commands[i].run(argc - 1, argv + 1);
	}
	fprintf(stderr, "%s: unknown command \"%s\"\n\n", program->name, argv[1]);
	usage(program, stderr);
	return HPRIO_EXIT_USAGE;
}

int hprio_print_json(FILE *stream, json_t *json)
{
	int failed = !json || json_dumpf(json, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) ||
		     fputs("\n", stream) < 0 || fflush(stream);

	json_decref(json);
	if (failed)
		warnx("cannot print JSON");
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
