// SPDX-License-Identifier: Apache-2.0
#include "ext4_mount.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Reads the options, one in each line. False: there are none, with errno. */
static bool read_options(const char *proc, const char *device, char *text, size_t size)
{
	char path[PATH_MAX];
	FILE *stream;
	size_t length;

	snprintf(path, sizeof(path), "%s/fs/ext4/%s/options", proc, device);
	stream = fopen(path, "re");
	if (!stream)
		return false;
	length = fread(text, 1, size - 1, stream);
	text[length] = '\0';
	fclose(stream);
	errno = ENODATA;
	return length > 0;
}

/* Whether one line is exactly this option. */
static bool has(const char *options, const char *option)
{
	size_t length = strlen(option);

	for (const char *line = options; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (strncmp(line, option, length) == 0 &&
		    (line[length] == '\n' || line[length] == '\0'))
			return true;
	return false;
}

int pbs_ext4_mount_check(const char *proc, const char *device, struct pbs_failure *failure)
{
	static const char *const needed[] = {"delalloc", "dioread_nolock"};
	char options[4096];

	if (!read_options(proc, device, options, sizeof(options)))
		return pbs_fail(failure, PBS_REASON_VOLUME,
				"%s/fs/ext4/%s/options, the mount options in force: %s", proc, device,
				strerror(errno));
	if (has(options, "data=journal"))
		return pbs_fail(failure, PBS_REASON_VOLUME,
				"ext4 on %s is mounted with data=journal: data may be in the journal only",
				device);
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!has(options, needed[i]))
			return pbs_fail(failure, PBS_REASON_VOLUME,
					"ext4 on %s is mounted without %s: files can have blocks that "
					"their data is not written to yet",
					device, needed[i]);
	return 0;
}
