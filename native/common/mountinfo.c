// SPDX-License-Identifier: Apache-2.0
#include "mountinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* mountinfo writes space, tab, newline and backslash as \ and three octal digits. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		unsigned int character;

		if (from[0] == '\\' && sscanf(from + 1, "%3o", &character) == 1) {
			*to = (char)character;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

bool hprio_mount_parse(const char *line, struct hprio_mount *mount)
{
	/* Optional fields end with a hyphen. */
	const char *rest = strstr(line, " - ");
	char source;

	memset(mount, 0, sizeof(*mount));
	if (!rest || sscanf(rest, " - %31s %c", mount->type, &source) != 2 ||
	    sscanf(line, "%d %*d %d:%d %*s %4095s", &mount->id, &mount->major, &mount->minor,
		   mount->point) != 4)
		return false;
	unescape(mount->point);
	return true;
}

static bool find(bool (*matches)(const struct hprio_mount *mount, const void *context),
		 const void *context, struct hprio_mount *found)
{
	FILE *stream = fopen("/proc/self/mountinfo", "re");
	struct hprio_mount mount;
	char *line = NULL;
	size_t size = 0;
	bool any = false;

	memset(found, 0, sizeof(*found));
	while (stream && getline(&line, &size, stream) > 0) {
		if (hprio_mount_parse(line, &mount) && matches(&mount, context)) {
			*found = mount;
			any = true;
		}
	}
	free(line);
	if (stream)
		fclose(stream);
	return any;
}

static bool has_id(const struct hprio_mount *mount, const void *id)
{
	return mount->id == *(const int *)id;
}

bool hprio_mount_of_file(int fd, struct hprio_mount *mount)
{
	char path[64];
	char line[128];
	bool known = false;
	FILE *stream;
	int id = -1;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	stream = fopen(path, "re");
	while (stream && !known && fgets(line, sizeof(line), stream))
		known = sscanf(line, "mnt_id: %d", &id) == 1;
	if (stream)
		fclose(stream);
	return find(has_id, &id, mount);
}

static bool is_of_device(const struct hprio_mount *mount, const void *device)
{
	const int *numbers = device;

	return mount->major == numbers[0] && mount->minor == numbers[1];
}

bool hprio_mount_of_device(int major, int minor, struct hprio_mount *mount)
{
	return find(is_of_device, (const int[]){major, minor}, mount);
}

static bool is_at(const struct hprio_mount *mount, const void *point)
{
	return strcmp(mount->point, point) == 0;
}

bool hprio_mount_at(const char *point, struct hprio_mount *mount)
{
	return find(is_at, point, mount);
}
