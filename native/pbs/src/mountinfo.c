#include "mountinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool pbs_mount_parse(const char *line, int mount_id, struct pbs_mount *mount)
{
	const char *rest;
	int id;

	memset(mount, 0, sizeof(*mount));
	if (sscanf(line, "%d", &id) != 1 || id != mount_id)
		return false;
	/* Optional fields end with a hyphen; blanks in names are written as \040. */
	rest = strstr(line, " - ");
	return rest && sscanf(rest, " - %31s %*s %255s", mount->type, mount->options) == 2;
}

static bool mount_id_of(int fd, int *id)
{
	char path[64];
	char line[128];
	bool found = false;
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	stream = fopen(path, "re");
	while (stream && !found && fgets(line, sizeof(line), stream))
		found = sscanf(line, "mnt_id: %d", id) == 1;
	if (stream)
		fclose(stream);
	return found;
}

bool pbs_mount_of(int fd, struct pbs_mount *mount)
{
	char *line = NULL;
	size_t size = 0;
	bool found = false;
	FILE *stream;
	int id;

	memset(mount, 0, sizeof(*mount));
	if (!mount_id_of(fd, &id))
		return false;
	stream = fopen("/proc/self/mountinfo", "re");
	while (stream && !found && getline(&line, &size, stream) > 0)
		found = pbs_mount_parse(line, id, mount);
	free(line);
	if (stream)
		fclose(stream);
	return found;
}

bool pbs_mount_has(const struct pbs_mount *mount, const char *option)
{
	size_t length = strlen(option);

	for (const char *at = mount->options; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, option, length) == 0 && (at[length] == ',' || at[length] == '\0'))
			return true;
	}
	return false;
}
