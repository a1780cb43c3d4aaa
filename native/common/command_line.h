/* SPDX-License-Identifier: Apache-2.0 */
/* What the command lines of "pbs" and "vhdd" share: commands by name, exit status, JSON. */
#ifndef HPRIO_COMMAND_LINE_H
#define HPRIO_COMMAND_LINE_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* Exit status for invalid arguments; 1 is for failures. */
#define HPRIO_EXIT_USAGE 2

/* A command, "PROGRAM NAME"; run gets its own arguments and gives the process's exit status. */
struct hprio_command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary; /* a line for the list of commands */
};

struct hprio_program {
	const char *name;
	const char *synopsis; /* what follows the name in "Usage: " */
	const char *summary;  /* a line */
	const struct hprio_command *commands;
	size_t count;
};

/*
 * A program's main: runs the command that argv[1] names, with argv[0] "PROGRAM NAME", or prints the
 * list of commands. The exit status; HPRIO_EXIT_USAGE if there is no such command, which is also
 * what argp ends the process with.
 */
int hprio_run_command(const struct hprio_program *program, int argc, char **argv);

/* Prints JSON and a line break and drops the reference. The exit status, 1 after a message. */
int hprio_print_json(FILE *stream, json_t *json);

#endif
