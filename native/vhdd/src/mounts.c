#include "mounts.h"

#include <err.h>
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

/* Format: Documentation/filesystems/proc.rst, /proc/<pid>/mountinfo. */
static bool parse(const char *line, struct vhdd_mount *mount)
{
	const char *separator = strstr(line, " - ");

	if (!separator || sscanf(separator, " - %63s", mount->type) != 1)
		return false;
	if (sscanf(line, "%*d %*d %d:%d %*s %4095s", &mount->major, &mount->minor, mount->point) != 3)
		return false;
	unescape(mount->point);
	return true;
}

bool vhdd_mount_find(struct vhdd_mount *found,
		     bool (*match)(const struct vhdd_mount *mount, const void *context),
		     const void *context)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	struct vhdd_mount mount;
	char *line = NULL;
	size_t size = 0;
	bool any = false;

	if (!file) {
		warn("cannot read /proc/self/mountinfo");
		return false;
	}
	while (getline(&line, &size, file) >= 0) {
		if (parse(line, &mount) && match(&mount, context)) {
			*found = mount;
			any = true;
		}
	}
	free(line);
	fclose(file);
	return any;
}

static bool on_device(const struct vhdd_mount *mount, const void *context)
{
	const int *device = context;

	return mount->major == device[0] && mount->minor == device[1];
}

bool vhdd_mount_of_device(struct vhdd_mount *found, int major, int minor)
{
	const int device[] = {major, minor};

	return vhdd_mount_find(found, on_device, device);
}

static bool at_point(const struct vhdd_mount *mount, const void *context)
{
	return strcmp(mount->point, context) == 0;
}

bool vhdd_mount_at(struct vhdd_mount *found, const char *point)
{
	return vhdd_mount_find(found, at_point, point);
}
