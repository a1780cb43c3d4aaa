// SPDX-License-Identifier: Apache-2.0
#include "command.h"
#include "disk.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>

static error_t parse(int key, char *argument, struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->input;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "\"%s\": list takes no name", argument);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void format_device(const struct vhdd_disk_info *info, char *text, size_t size)
{
	if (info->loop == VHDD_NO_LOOP)
		snprintf(text, size, "-");
	else
		snprintf(text, size, "/dev/loop%d", info->loop);
}

static json_t *info_to_json(const char *name, const struct vhdd_disk_info *info)
{
	char device[32];

	format_device(info, device, sizeof(device));
	return json_pack("{s:s, s:s, s:I, s:s, s:s, s:i}", "name", name, "device", device,
			 "size_bytes", (json_int_t)info->size_bytes, "mode", info->mode, "state",
			 vhdd_disk_condition_name(info->condition), "pid", (int)info->pid);
}

static void print_info(const char *name, const struct vhdd_disk_info *info)
{
	char device[32];
	char size[32];

	format_device(info, device, sizeof(device));
	printf("%-16s %-12s %10s %-5s %-10s %7d\n", name, device,
	       vhdd_format_bytes(info->size_bytes, size, sizeof(size)), info->mode,
	       vhdd_disk_condition_name(info->condition), (int)info->pid);
}

int vhdd_list_main(int argc, char **argv)
{
	static const struct argp_child children[] = {{&vhdd_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.parser = parse,
		.doc = "Lists all disks.\vStates: running; incomplete: create has not finished; "
		       "hung: the daemon does not answer; dead: the daemon has ended (pid 0).",
		.children = children,
	};
	struct vhdd_common common = {0};
	json_t *list = json_array();
	const char *run_dir;
	char **names;

	argp_parse(&argp, argc, argv, 0, NULL, &common);
	run_dir = vhdd_run_dir(common.run_dir);
	names = vhdd_disk_names(run_dir);
	if (!common.json && names && names[0])
		printf("%-16s %-12s %10s %-5s %-10s %7s\n", "name", "device", "size", "mode",
		       "state", "pid");
	for (char **name = names; name && *name; name++) {
		struct vhdd_disk_info info;
		struct vhdd_paths paths;

		if (vhdd_paths_init(&paths, run_dir, *name) || vhdd_disk_inspect(&paths, &info))
			continue;
		if (common.json)
			json_array_append_new(list, info_to_json(*name, &info));
		else
			print_info(*name, &info);
	}
	vhdd_disk_names_free(names);
	if (common.json)
		return hprio_print_json(stdout, list);
	json_decref(list);
	return names ? EXIT_SUCCESS : EXIT_FAILURE;
}
