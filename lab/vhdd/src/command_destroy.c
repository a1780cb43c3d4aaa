// SPDX-License-Identifier: Apache-2.0
#include "command.h"
#include "disk.h"

#include <stdio.h>
#include <stdlib.h>

struct arguments {
	struct vhdd_common common;
	const char *name;
	bool force;
};

static const struct argp_option destroy_options[] = {
	{"force", 'f', NULL, 0, "Remove it even if it is in use, and unmount it first", 0},
	{0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->common;
		return 0;
	case 'f':
		arguments->force = true;
		return 0;
	default:
		return vhdd_parse_name(key, argument, state, &arguments->name);
	}
}

static const struct argp_child children[] = {{&vhdd_common_argp, 0, NULL, 0}, {0}};

static int report(const struct arguments *arguments, const char *what)
{
	if (arguments->common.json)
		return hprio_print_json(stdout, 
			json_pack("{s:s, s:s}", "name", arguments->name, "result", what));
	printf("%s: %s\n", arguments->name, what);
	return EXIT_SUCCESS;
}

int vhdd_destroy_main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = destroy_options,
		.parser = parse,
		.args_doc = "NAME",
		.doc = "Removes a disk with its data and its loop device; a disk that is not "
		       "there is no error.",
		.children = children,
	};
	struct arguments arguments = {0};
	struct vhdd_paths paths;
	bool was_there;

	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	if (vhdd_paths_init(&paths, vhdd_run_dir(arguments.common.run_dir), arguments.name))
		return HPRIO_EXIT_USAGE;
	was_there = vhdd_paths_exist(&paths);
	if (vhdd_disk_destroy(&paths, arguments.force))
		return EXIT_FAILURE;
	return report(&arguments, was_there ? "destroyed" : "not there");
}

int vhdd_abort_main(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "NAME",
		.doc = "Makes every request to a disk fail from now on, so that no process waits for it, "
		       "as its watchdog does when the daemon hangs.",
		.children = children,
	};
	struct arguments arguments = {0};
	struct vhdd_paths paths;
	int status;

	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	status = vhdd_find_disk(&paths, &arguments.common, arguments.name);
	if (status)
		return status;
	return vhdd_disk_abort(&paths) ? EXIT_FAILURE : report(&arguments, "aborted");
}
