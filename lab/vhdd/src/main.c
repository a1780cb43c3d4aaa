// SPDX-License-Identifier: Apache-2.0
/* The program "vhdd": picks the command. */
#include "command.h"

static const struct hprio_command commands[] = {
	{"create", vhdd_create_main, "makes a virtual hard disk"},
	{"set", vhdd_set_main, "changes its model while it is in use"},
	{"load", vhdd_load_main, "switches its delays off and on, to fill it"},
	{"stats", vhdd_stats_main, "shows latencies per class, and whether they are valid"},
	{"list", vhdd_list_main, "lists all disks"},
	{"abort", vhdd_abort_main, "makes its requests fail, so that no process waits for it"},
	{"destroy", vhdd_destroy_main, "removes it"},
	{"reads", vhdd_reads_main, "reads from a block device, shares of the reads with priorities"},
	{"sim", vhdd_sim_main, "runs the model in virtual time"},
	{"calibrate", vhdd_calibrate_main, "compares the model with published drives"},
};

int main(int argc, char **argv)
{
	static const struct hprio_program program = {
		.name = "vhdd",
		.synopsis = "COMMAND [OPTION...]",
		.summary = "A virtual hard disk with a queue of 32 requests and I/O priorities.",
		.commands = commands,
		.count = sizeof(commands) / sizeof(commands[0]),
	};

	return hprio_run_command(&program, argc, argv);
}
