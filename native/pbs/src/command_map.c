// SPDX-License-Identifier: Apache-2.0
#include "command.h"
#include "fiemap.h"
#include "survey.h"

#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file's extents on its disk, as they are printed. */
struct map {
	bool json;
	json_t *extents;
	struct pbs_volume_info info;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	(void)argument;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = state->input;
	return 0;
}

/* E.g. "unwritten,last"; returns text. */
static const char *format_flags(uint32_t flags, char *text, size_t size)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {
		{FIEMAP_EXTENT_UNKNOWN, "unknown"},
		{FIEMAP_EXTENT_DELALLOC, "delalloc"},
		{FIEMAP_EXTENT_ENCODED, "encoded"},
		{FIEMAP_EXTENT_DATA_ENCRYPTED, "encrypted"},
		{FIEMAP_EXTENT_NOT_ALIGNED, "not-aligned"},
		{FIEMAP_EXTENT_DATA_INLINE, "inline"},
		{FIEMAP_EXTENT_DATA_TAIL, "tail"},
		{FIEMAP_EXTENT_UNWRITTEN, "unwritten"},
		{FIEMAP_EXTENT_MERGED, "merged"},
		{FIEMAP_EXTENT_SHARED, "shared"},
		{FIEMAP_EXTENT_LAST, "last"},
	};
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (flags & names[i].flag && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s",
						 used ? "," : "", names[i].name);
	return text;
}

static uint64_t lba_of(const struct map *map, const struct fiemap_extent *extent)
{
	int32_t block = map->info.logical_block_bytes;

	return ((uint64_t)map->info.partition_start_bytes + extent->fe_physical) /
	       (uint64_t)(block > 0 ? block : 512);
}

static void show(struct map *map, const struct fiemap_extent *extent)
{
	struct pbs_failure failure = {0};
	char flags[PBS_TEXT];
	const char *refused;

	pbs_extent_check(extent->fe_flags, &failure);
	refused = pbs_reason_name(failure.reason);
	format_flags(extent->fe_flags, flags, sizeof(flags));
	if (map->json)
		json_array_append_new(
			map->extents,
			json_pack("{s:I, s:I, s:I, s:I, s:s, s:s}", "offset",
				  (json_int_t)extent->fe_logical, "length",
				  (json_int_t)extent->fe_length, "device_byte",
				  (json_int_t)extent->fe_physical, "lba",
				  (json_int_t)lba_of(map, extent), "flags", flags, "refused",
				  refused));
	else
		printf("%14llu %14llu %16llu %14llu  %-12s %s\n",
		       (unsigned long long)extent->fe_logical,
		       (unsigned long long)extent->fe_length,
		       (unsigned long long)extent->fe_physical,
		       (unsigned long long)lba_of(map, extent), refused, flags);
}

static int show_all(struct map *map, int fd, const char *file)
{
	struct pbs_extents extents = {0};
	uint64_t from = 0;

	while (!extents.complete) {
		struct pbs_failure failure;

		if (pbs_fiemap(fd, from, FIEMAP_MAX_OFFSET - from, true, &extents, &failure)) {
			warnx("%s: %s", file, failure.text);
			return EXIT_FAILURE;
		}
		for (unsigned i = 0; i < extents.count; i++) {
			show(map, &extents.extent[i]);
			from = extents.extent[i].fe_logical + extents.extent[i].fe_length;
		}
	}
	return EXIT_SUCCESS;
}

int pbs_map_main(int argc, char **argv)
{
	static const struct argp_child children[] = {{&pbs_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "FILE",
		.doc = "Shows where a file's data lies: its extents, and why an extent cannot be read "
		       "by engine ncq (\"none\": it can). Writes the file's dirty pages first.",
		.children = children,
	};
	struct pbs_common common;
	struct hprio_mount mount;
	struct stat status;
	struct map map = {0};
	int result;
	int fd;

	pbs_common_init(&common);
	argp_parse(&argp, argc, argv, 0, NULL, &common);
	fd = open(common.file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status))
		err(EXIT_FAILURE, "%s", common.file);
	hprio_mount_of_file(fd, &mount);
	pbs_survey("/sys", "/proc", status.st_dev, &mount, &map.info);
	map.json = common.json;
	map.extents = json_array();
	if (!map.json)
		printf("%14s %14s %16s %14s  %-12s %s\n", "offset", "length", "device byte", "LBA",
		       "refused", "flags");
	result = show_all(&map, fd, common.file);
	close(fd);
	if (!map.json || result) {
		json_decref(map.extents);
		return result;
	}
	return hprio_print_json(stdout, json_pack("{s:s, s:s, s:o}", "device", map.info.device,
						"disk", map.info.disk, "extents", map.extents));
}
