// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <err.h>
#include <stdlib.h>

static error_t parse(int key, char *argument, struct argp_state *state)
{
	(void)argument;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = state->input;
	return 0;
}

/* null: unknown. */
static json_t *known_number(int32_t number)
{
	return number < 0 ? json_null() : json_integer(number);
}

static json_t *known_flag(int32_t flag)
{
	return flag < 0 ? json_null() : json_boolean(flag);
}

static json_t *engine_to_json(const char *refused)
{
	return json_pack("{s:b, s:s*}", "usable", refused[0] == '\0', "refused",
			 refused[0] ? refused : NULL);
}

static json_t *info_to_json(const struct pbs_volume_info *info)
{
	return json_pack(
		"{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:s, s:o, s:o}",
		"filesystem", info->filesystem, "device", info->device, "disk", info->disk, "model",
		info->model, "scheduler", info->scheduler, "partition_start_bytes",
		(json_int_t)info->partition_start_bytes, "partition_bytes",
		(json_int_t)info->partition_bytes, "logical_block_bytes",
		(int)info->logical_block_bytes, "command_bytes", (int)info->command_bytes,
		"rotational", known_flag(info->rotational), "queue_depth",
		known_number(info->queue_depth), "ncq_supported", known_flag(info->ncq_supported),
		"ncq_prio_supported", known_flag(info->ncq_prio_supported), "ncq_prio_enabled",
		known_flag(info->ncq_prio_enabled), "cdl_supported",
		known_flag(info->cdl_supported), "cdl_enabled", known_flag(info->cdl_enabled),
		"hints", known_flag(info->hints), "access", pbs_access_name(info->access), "ncq",
		engine_to_json(info->ncq_refused), "direct", engine_to_json(info->direct_refused));
}

static const char *flag_text(int32_t flag)
{
	return flag < 0 ? "unknown" : flag ? "yes" : "no";
}

static const char *engine_text(const char *refused)
{
	return refused[0] ? refused : "usable";
}

static void print_info(const struct pbs_volume_info *info)
{
	printf("file system   %s\n", info->filesystem);
	printf("device        %s, from byte %lld of %s, %lld bytes\n", info->device,
	       (long long)info->partition_start_bytes, info->disk,
	       (long long)info->partition_bytes);
	printf("disk          %s, rotational: %s, blocks of %d bytes, scheduler %s\n", info->model,
	       flag_text(info->rotational), info->logical_block_bytes, info->scheduler);
	printf("NCQ           supported: %s, queue depth %d, %d bytes per command\n",
	       flag_text(info->ncq_supported), info->queue_depth, info->command_bytes);
	printf("NCQ priority  supported: %s, used by the kernel: %s\n",
	       flag_text(info->ncq_prio_supported), flag_text(info->ncq_prio_enabled));
	printf("CDL           supported: %s, on: %s, hints taken by the kernel: %s\n",
	       flag_text(info->cdl_supported), flag_text(info->cdl_enabled),
	       flag_text(info->hints));
	printf("access        %s\n", pbs_access_name(info->access));
	printf("ncq           %s\n", engine_text(info->ncq_refused));
	printf("direct        %s\n", engine_text(info->direct_refused));
}

int pbs_probe_main(int argc, char **argv)
{
	static const struct argp_child children[] = {{&pbs_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "FILE",
		.doc = "Shows what is below a file or directory, which engines can read there, and "
		       "why others cannot.",
		.children = children,
	};
	struct pbs_volume_info info;
	struct pbs_volume *volume;
	struct pbs_common common;
	char error[PBS_TEXT];

	pbs_common_init(&common);
	argp_parse(&argp, argc, argv, 0, NULL, &common);
	if (pbs_volume_open(common.file, &common.options, &volume, error))
		errx(EXIT_FAILURE, "%s", error);
	pbs_volume_info(volume, &info);
	pbs_volume_close(volume);
	if (common.json)
		return hprio_print_json(stdout, info_to_json(&info));
	print_info(&info);
	return EXIT_SUCCESS;
}
