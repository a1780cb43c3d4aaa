// SPDX-License-Identifier: Apache-2.0
/* The program "pbs": picks the command. */
#include "command.h"

static const struct hprio_command commands[] = {
	{"read", pbs_read_main, "reads a file through an engine"},
	{"probe", pbs_probe_main, "shows which engines can read a file, and why others cannot"},
	{"cdl", pbs_cdl_main, "shows a drive's command duration limits"},
};

int main(int argc, char **argv)
{
	static const struct hprio_program program = {
		.name = "pbs",
		.synopsis = "COMMAND [OPTION...] FILE|DEVICE",
		.summary = "Reads files with a priority that reaches the drive.",
		.commands = commands,
		.count = sizeof(commands) / sizeof(commands[0]),
	};

	return hprio_run_command(&program, argc, argv);
}
