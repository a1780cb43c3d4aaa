/* The program "pbs": picks the command. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{"read", pbs_read_main, "reads a file through an engine"},
	{"map", pbs_map_main, "shows where a file's data lies on the disk"},
	{"probe", pbs_probe_main, "shows which engines can read a file, and why others cannot"},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *stream)
{
	fputs("Usage: pbs COMMAND [OPTION...] FILE\n"
	      "Reads files with a priority that reaches the drive.\n\n",
	      stream);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].summary);
	fputs("\n\"pbs COMMAND --help\" tells more.\n", stream);
}

int main(int argc, char **argv)
{
	char full_name[32];

	argp_err_exit_status = PBS_EXIT_USAGE;
	if (argc < 2) {
		usage(stderr);
		return PBS_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		usage(stdout);
		return EXIT_SUCCESS;
	}
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		snprintf(full_name, sizeof(full_name), "pbs %s", commands[i].name);
		argv[1] = full_name;
		return commands[i].run(argc - 1, argv + 1);
	}
	fprintf(stderr, "pbs: unknown command \"%s\"\n\n", argv[1]);
	usage(stderr);
	return PBS_EXIT_USAGE;
}
