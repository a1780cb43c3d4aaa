// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <inttypes.h>

#define KIB 1024
/* The part of all memory that is kept for others. */
#define KEPT 16

struct vhdd_memory vhdd_memory_parse(FILE *meminfo)
{
	struct vhdd_memory memory = {0};
	uint64_t total = 0;
	char line[128];

	while (fgets(line, sizeof(line), meminfo)) {
		sscanf(line, "MemTotal: %" SCNu64 " kB", &total);
		sscanf(line, "MemAvailable: %" SCNu64 " kB", &memory.available);
	}
	memory.available *= KIB;
	total *= KIB;
	if (memory.available > total / KEPT)
		memory.left = memory.available - total / KEPT;
	return memory;
}

struct vhdd_memory vhdd_memory_now(void)
{
	FILE *meminfo = fopen("/proc/meminfo", "re");
	struct vhdd_memory memory = {0};

	if (!meminfo)
		return memory;
	memory = vhdd_memory_parse(meminfo);
	fclose(meminfo);
	return memory;
}
