/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of "vhdd": each takes its own arguments, argv[0] is "vhdd NAME", and gives the exit
 * status of the process. */
#ifndef VHDD_COMMAND_H
#define VHDD_COMMAND_H

#include "command_line.h"
#include "rundir.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

int vhdd_create_main(int argc, char **argv);
int vhdd_set_main(int argc, char **argv);
int vhdd_stats_main(int argc, char **argv);
int vhdd_load_main(int argc, char **argv);
int vhdd_abort_main(int argc, char **argv);
int vhdd_destroy_main(int argc, char **argv);
int vhdd_list_main(int argc, char **argv);
int vhdd_reads_main(int argc, char **argv);
int vhdd_sim_main(int argc, char **argv);
int vhdd_calibrate_main(int argc, char **argv);

/* Options that all commands on disks have: an argp child, its input is a struct vhdd_common. */
struct vhdd_common {
	const char *run_dir; /* NULL: not given */
	bool json;
};
extern const struct argp vhdd_common_argp;

/* The part of an argp parser that takes NAME as the only argument. */
error_t vhdd_parse_name(int key, char *argument, struct argp_state *state, const char **name);

/* Paths of the disk NAME, of which there must be one. 0, or the exit status after a message. */
int vhdd_find_disk(struct vhdd_paths *paths, const struct vhdd_common *common, const char *name);

/*
 * Asks the daemon of a disk (takes the request's reference). The reply, which says "ok", or NULL
 * after a message.
 */
json_t *vhdd_ask(const struct vhdd_paths *paths, json_t *request);

/* For the end of a help text: presets and all keys for create, else the keys that can be set live. */
char *vhdd_keys_help(bool for_create);

/* E.g. "16.0 GiB"; returns text. */
const char *vhdd_format_bytes(uint64_t bytes, char *text, size_t size);

#endif
