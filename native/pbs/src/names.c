// SPDX-License-Identifier: Apache-2.0
/* The names of the public header's numbers. */
#include "hprio_pbs.h"

#define NAME(names, number) \
	((number) >= 0 && (size_t)(number) < sizeof(names) / sizeof((names)[0]) ? (names)[number] : "?")

const char *pbs_way_name(int32_t way)
{
	static const char *const names[] = {"cache", "ncq", "direct", "fallback",
					    "not-read"};

	return NAME(names, way);
}

const char *pbs_reason_name(int32_t reason)
{
	static const char *const names[PBS_REASONS] = {
		[PBS_REASON_NONE] = "none",
		[PBS_REASON_VOLUME] = "volume",
		[PBS_REASON_FILE] = "file",
		[PBS_REASON_MAP] = "map",
		[PBS_REASON_UNKNOWN] = "unknown",
		[PBS_REASON_DELALLOC] = "delalloc",
		[PBS_REASON_ENCODED] = "encoded",
		[PBS_REASON_ENCRYPTED] = "encrypted",
		[PBS_REASON_NOT_ALIGNED] = "not-aligned",
		[PBS_REASON_INLINE] = "inline",
		[PBS_REASON_TAIL] = "tail",
		[PBS_REASON_UNWRITTEN] = "unwritten",
		[PBS_REASON_RANGE] = "range",
		[PBS_REASON_CHANGED] = "changed",
		[PBS_REASON_TIMEOUT] = "timeout",
		[PBS_REASON_RIGHTS] = "rights",
		[PBS_REASON_GONE] = "gone",
		[PBS_REASON_COMMAND] = "command",
		[PBS_REASON_HELPER] = "helper",
		[PBS_REASON_DIRECT] = "direct",
		[PBS_REASON_RESOURCES] = "resources",
		[PBS_REASON_DIRTY] = "dirty",
		[PBS_REASON_EXPIRED] = "expired",
	};

	return NAME(names, reason);
}

const char *pbs_level_name(int32_t level)
{
	static const char *const names[] = {"normal", "high"};

	return NAME(names, level);
}

const char *pbs_access_name(int32_t access)
{
	static const char *const names[] = {"auto", "device", "helper", "none"};

	return NAME(names, access);
}
