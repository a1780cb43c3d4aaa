// SPDX-License-Identifier: Apache-2.0
#include "host_readahead.h"

#include "number.h"

#include <ctype.h>
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#define FIRST_NEW_MAJOR 6
#define FIRST_NEW_MINOR 17

bool vhdd_host_read_ahead_parse(const char *text, unsigned int *kib)
{
	uint64_t number;

	if (strcmp(text, "old") == 0) {
		*kib = VHDD_HOST_READ_AHEAD_OLD_KB;
		return true;
	}
	if (strcmp(text, "new") == 0) {
		*kib = VHDD_HOST_READ_AHEAD_NEW_KB;
		return true;
	}
	if (!hprio_parse_whole(text, 0, VHDD_HOST_READ_AHEAD_MAX_KB, &number))
		return false;
	*kib = (unsigned int)number;
	return true;
}

bool vhdd_host_read_ahead_of(const char *release, unsigned int *kib)
{
	unsigned int major;
	unsigned int minor;
	char after = '\0';
	int count = sscanf(release, "%4u.%4u%c", &major, &minor, &after);

	if (!isdigit((unsigned char)release[0]) || count < 2 || isdigit((unsigned char)after))
		return false;
	*kib = major > FIRST_NEW_MAJOR || (major == FIRST_NEW_MAJOR && minor >= FIRST_NEW_MINOR)
		       ? VHDD_HOST_READ_AHEAD_NEW_KB
		       : VHDD_HOST_READ_AHEAD_OLD_KB;
	return true;
}

bool vhdd_host_read_ahead_now(unsigned int *kib)
{
	struct utsname system;

	if (uname(&system) == 0 && vhdd_host_read_ahead_of(system.release, kib))
		return true;
	warnx("this kernel's version \"%s\" does not say which read-ahead it gives a disk; give "
	      "--read-ahead=old, new or a number of KiB", system.release);
	return false;
}
