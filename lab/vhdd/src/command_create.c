// SPDX-License-Identifier: Apache-2.0
#include "command.h"
#include "disk.h"
#include "host_readahead.h"
#include "memory.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE "16GiB"
#define DEFAULT_SCHEDULER "mq-deadline"

#define MAX_ASSIGNMENTS 64

#define OPTION_SPARSE 0x101

struct arguments {
	struct vhdd_common common;
	const char *name;
	const char *preset;
	const char *size;
	const char *scheduler;
	const char *read_ahead; /* NULL: not given */
	unsigned int read_ahead_kb;
	bool sparse;
	const char *assignments[MAX_ASSIGNMENTS];
	size_t assignment_count;
};

static const struct argp_option options[] = {
	{"size", 's', "SIZE", 0, "Bytes, or with a unit: 512M, 16G, 16GiB; default " DEFAULT_SIZE, 0},
	{"preset", 'p', "PRESET", 0, "The drive to imitate, see below", 0},
	{"scheduler", 'c', "NAME", 0, "The kernel's I/O scheduler, default " DEFAULT_SCHEDULER, 0},
	{"read-ahead", 'r', "old|new|KIB", 0,
	 "The kernel's read-ahead: old, 128 KiB, as Linux before 6.17 gives it to a disk that rotates; new, "
	 "8192, as Linux gives it to a SATA disk since; or 0 to 65536 KiB. Default: that of this kernel", 0},
	{"sparse", OPTION_SPARSE, NULL, 0, "Allow more bytes than memory holds, for a disk that is never filled",
	 0},
	{0},
};

static void parse_positional(struct arguments *arguments, const char *text,
			     struct argp_state *state)
{
	if (!arguments->name)
		arguments->name = text;
	else if (arguments->assignment_count == MAX_ASSIGNMENTS)
		argp_error(state, "more than %d key=value", MAX_ASSIGNMENTS);
	else
		arguments->assignments[arguments->assignment_count++] = text;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->common;
		return 0;
	case 's':
		arguments->size = argument;
		return 0;
	case 'p':
		arguments->preset = argument;
		return 0;
	case 'c':
		arguments->scheduler = argument;
		return 0;
	case OPTION_SPARSE:
		arguments->sparse = true;
		return 0;
	case 'r':
		arguments->read_ahead = argument;
		if (!vhdd_host_read_ahead_parse(argument, &arguments->read_ahead_kb))
			argp_error(state,
				   "--read-ahead=%s: allowed is old (%d), new (%d) or a whole number of KiB "
				   "from 0 to %d", argument, VHDD_HOST_READ_AHEAD_OLD_KB,
				   VHDD_HOST_READ_AHEAD_NEW_KB, VHDD_HOST_READ_AHEAD_MAX_KB);
		return 0;
	case ARGP_KEY_ARG:
		parse_positional(arguments, argument, state);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "the disk's NAME is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static char *help(int key, const char *text, void *input)
{
	(void)input;
	return key == ARGP_KEY_HELP_EXTRA ? vhdd_keys_help(true) : (char *)text;
}

static int unknown_preset(const char *name)
{
	char known[256] = "";
	size_t length = 0;

	for (const char *const *preset = vhdd_params_presets(); *preset; preset++)
		length += (size_t)snprintf(known + length, sizeof(known) - length, "%s%s",
					   length ? ", " : "", *preset);
	warnx("--preset=%s: allowed is %s", name, known);
	return -EINVAL;
}

/* "16G" means GiB; the units of parameters are written in full. */
static int set_size(struct vhdd_params *params, const char *size, char *error, size_t error_size)
{
	size_t length = strlen(size);
	const char *unit = length && strchr("KMGT", size[length - 1]) ? "iB" : "";
	char full[64];

	if (snprintf(full, sizeof(full), "%s%s", size, unit) >= (int)sizeof(full))
		full[sizeof(full) - 1] = '\0';
	return vhdd_params_set(params, "size_bytes", full, error, error_size);
}

static int make_params(struct vhdd_params *params, const struct arguments *arguments)
{
	char error[512];
	int result;

	if (vhdd_params_preset(params, arguments->preset))
		return unknown_preset(arguments->preset);
	result = set_size(params, arguments->size, error, sizeof(error));
	for (size_t i = 0; !result && i < arguments->assignment_count; i++)
		result = vhdd_params_assign(params, arguments->assignments[i], error,
					    sizeof(error));
	if (!result)
		result = vhdd_params_check(params, error, sizeof(error));
	if (result)
		warnx("%s", error);
	return result;
}

/* Refuses a disk that could not be filled. */
static int check_memory(uint64_t bytes)
{
	struct vhdd_memory memory = vhdd_memory_now();
	char wanted[32];
	char available[32];
	char allowed[32];

	if (bytes <= memory.left)
		return 0;
	vhdd_format_bytes(bytes, wanted, sizeof(wanted));
	vhdd_format_bytes(memory.available, available, sizeof(available));
	vhdd_format_bytes(memory.left, allowed, sizeof(allowed));
	warnx("size_bytes=%ju (%s): the data of a disk is kept in memory, of which %s is available; allowed is "
	      "up to %s, because a sixteenth of all memory is kept for others, or more with --sparse for a "
	      "disk that is never filled",
	      (uintmax_t)bytes, wanted, available, allowed);
	return -ENOMEM;
}

static int report(const struct arguments *arguments, const struct vhdd_paths *paths,
		  const struct vhdd_params *params, int loop)
{
	char device[32];
	char size[32];

	snprintf(device, sizeof(device), "/dev/loop%d", loop);
	if (arguments->common.json)
		return hprio_print_json(stdout, json_pack(
			"{s:s, s:s, s:I, s:s, s:s, s:i, s:s, s:o}", "name", paths->name, "device",
			device, "size_bytes", (json_int_t)params->size_bytes, "preset",
			arguments->preset, "scheduler", arguments->scheduler, "read_ahead_kb",
			(int)arguments->read_ahead_kb, "log", paths->log, "parameters",
			vhdd_params_to_json(params)));
	vhdd_format_bytes(params->size_bytes, size, sizeof(size));
	printf("%s: %s, %s, preset %s, mode %s, scheduler %s, read-ahead %u KiB\n", paths->name,
	       device, size, arguments->preset, vhdd_mode_name(params->mode), arguments->scheduler,
	       arguments->read_ahead_kb);
	printf("Its data is kept in RAM: as much as is written to it, up to %s.\n", size);
	return EXIT_SUCCESS;
}

int vhdd_create_main(int argc, char **argv)
{
	static const struct argp_child children[] = {{&vhdd_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "NAME [KEY=VALUE...]",
		.doc = "Makes a virtual hard disk, /dev/loopN, and no filesystem on it.\vA disk's "
		       "data is kept in RAM and is lost when the disk is destroyed.",
		.children = children,
		.help_filter = help,
	};
	struct arguments arguments = {
		.preset = vhdd_params_presets()[0],
		.size = DEFAULT_SIZE,
		.scheduler = DEFAULT_SCHEDULER,
	};
	struct vhdd_disk_options disk;
	struct vhdd_paths paths;
	const char *run_dir;
	int loop;

	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	run_dir = vhdd_run_dir(arguments.common.run_dir);
	if (!arguments.read_ahead && !vhdd_host_read_ahead_now(&arguments.read_ahead_kb))
		return HPRIO_EXIT_USAGE;
	if (make_params(&disk.params, &arguments))
		return HPRIO_EXIT_USAGE;
	if (vhdd_paths_init(&paths, run_dir, arguments.name))
		return HPRIO_EXIT_USAGE;
	if (!arguments.sparse && check_memory(disk.params.size_bytes))
		return EXIT_FAILURE;
	/* The real path is known only once the directory exists. */
	if (vhdd_make_dirs(run_dir) == 0)
		vhdd_paths_init(&paths, run_dir, arguments.name);
	disk.scheduler = arguments.scheduler;
	disk.read_ahead_kb = arguments.read_ahead_kb;
	loop = vhdd_disk_create(&paths, &disk);
	if (loop < 0)
		return EXIT_FAILURE;
	return report(&arguments, &paths, &disk.params, loop);
}
