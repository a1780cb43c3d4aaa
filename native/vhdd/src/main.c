/* The program "vhdd": picks the command. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{"create", vhdd_create_main, "makes a virtual hard disk"},
	{"set", vhdd_set_main, "changes its model while it is in use"},
	{"load", vhdd_load_main, "switches its delays off and on, to fill it"},
	{"stats", vhdd_stats_main, "shows latencies per class, and whether they are valid"},
	{"list", vhdd_list_main, "lists all disks"},
	{"abort", vhdd_abort_main, "makes its requests fail, so that nobody waits for it"},
	{"destroy", vhdd_destroy_main, "removes it"},
	{"sim", vhdd_sim_main, "runs the model in virtual time"},
	{"calibrate", vhdd_calibrate_main, "compares the model with published drives"},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *stream)
{
	fputs("Usage: vhdd COMMAND [OPTION...]\n"
	      "A virtual hard disk with a queue of 32 requests and I/O priorities.\n\n",
	      stream);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].summary);
	fputs("\n\"vhdd COMMAND --help\" tells more.\n", stream);
}

int main(int argc, char **argv)
{
	char full_name[32];

	argp_err_exit_status = VHDD_EXIT_USAGE;
	if (argc < 2) {
		usage(stderr);
		return VHDD_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		usage(stdout);
		return EXIT_SUCCESS;
	}
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		snprintf(full_name, sizeof(full_name), "vhdd %s", commands[i].name);
		argv[1] = full_name;
		return commands[i].run(argc - 1, argv + 1);
	}
	fprintf(stderr, "vhdd: unknown command \"%s\"\n\n", argv[1]);
	usage(stderr);
	return VHDD_EXIT_USAGE;
}
