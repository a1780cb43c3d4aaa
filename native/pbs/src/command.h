/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of "pbs": each takes its own arguments, argv[0] is "pbs NAME", and gives the exit
 * status of the process. */
#ifndef PBS_COMMAND_H
#define PBS_COMMAND_H

#include "command_line.h"
#include "hprio_pbs.h"
#include "number.h"

#include <argp.h>
#include <stdbool.h>

int pbs_read_main(int argc, char **argv);
int pbs_probe_main(int argc, char **argv);
int pbs_cdl_main(int argc, char **argv);

/* What all commands on a FILE take: an argp child, its input is a struct pbs_common. */
struct pbs_common {
	bool json;
	struct pbs_options options;
	const char *file; /* the only argument */
};
extern const struct argp pbs_common_argp;

/* Before argp_parse. */
void pbs_common_init(struct pbs_common *common);

/*
 * The index of a word among count, which a function names ("normal", "high", ...); ends the program
 * after a message if there is none.
 */
int32_t pbs_parse_word(const struct argp_state *state, const char *option, const char *text,
		       const char *(*name)(int32_t), int32_t count);

#endif
