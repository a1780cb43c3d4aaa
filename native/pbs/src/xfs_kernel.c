// SPDX-License-Identifier: Apache-2.0
#include "xfs_kernel.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MAJOR 5
#define MINOR 8

int pbs_xfs_kernel_check(const char *proc, struct pbs_failure *failure)
{
	char release[64] = "";
	char path[PATH_MAX];
	unsigned minor = 0;
	unsigned major = 0;
	FILE *stream;

	snprintf(path, sizeof(path), "%s/sys/kernel/osrelease", proc);
	stream = fopen(path, "re");
	if (stream) {
		if (!fgets(release, sizeof(release), stream))
			release[0] = '\0';
		fclose(stream);
	}
	release[strcspn(release, "\n")] = '\0';
	if (sscanf(release, "%u.%u", &major, &minor) == 2 &&
	    (major > MAJOR || (major == MAJOR && minor >= MINOR)))
		return 0;
	return pbs_fail(failure, PBS_REASON_VOLUME,
			"before Linux 5.8 XFS gives files blocks that their data is not written to yet; "
			"this is %s",
			release[0] ? release : "an unknown version");
}
