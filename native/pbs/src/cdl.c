// SPDX-License-Identifier: Apache-2.0
#include "cdl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_US UINT64_C(1000)
#define POLICIES 16
#define ABORT_RECOVERY 0xe

void pbs_cdl_init(struct pbs_cdl *cdl)
{
	memset(cdl, 0, sizeof(*cdl));
	cdl->supported = -1;
	cdl->enabled = -1;
	cdl->guideline_supported = -1;
}

bool pbs_cdl_is_set(const struct pbs_cdl_descriptor *descriptor)
{
	for (unsigned time = 0; time < PBS_CDL_TIMES; time++)
		if (descriptor->limit[time].ns)
			return true;
	return false;
}

int pbs_cdl_in_force(const struct pbs_cdl *cdl, struct pbs_duration_limits *limits,
		     struct pbs_failure *failure)
{
	bool any = false;

	memset(limits, 0, sizeof(*limits));
	limits->ata = cdl->source == PBS_CDL_FROM_LOG || cdl->source == PBS_CDL_FROM_LIBATA;
	if (cdl->supported != 1)
		return pbs_fail(failure, PBS_REASON_VOLUME,
				"the drive has no command duration limits");
	if (cdl->enabled == 0)
		return pbs_fail(failure, PBS_REASON_VOLUME,
				"the drive says that its command duration limits are off; write 0 and "
				"then 1 to device/cdl_enable while the disk is idle");
	for (unsigned i = 0; i < PBS_DURATION_LIMITS; i++) {
		const struct pbs_cdl_descriptor *from = &cdl->descriptor[PBS_CDL_READ][i];

		any = any || pbs_cdl_is_set(from);
		for (unsigned time = 0; time < PBS_DURATION_TIMES; time++) {
			limits->ns[i][time] = from->limit[time].ns;
			limits->policy[i][time] = from->limit[time].policy;
		}
		memcpy(limits->odd[i], from->odd, sizeof(limits->odd[i]));
	}
	if (!any)
		return pbs_fail(failure, PBS_REASON_VOLUME,
				"none of the drive's descriptors for reads has a limit");
	return 0;
}

static bool is_reserved(enum pbs_cdl_time time, int32_t policy, bool ata)
{
	static const uint16_t allowed[PBS_CDL_TIMES] = {
		[PBS_CDL_INACTIVE] = 1 << 0x0 | 1 << 0xd | 1 << 0xf,
		[PBS_CDL_ACTIVE] = 1 << 0x0 | 1 << 0xd | 1 << ABORT_RECOVERY | 1 << 0xf,
		[PBS_CDL_GUIDELINE] = 1 << 0x0 | 1 << 0x1 | 1 << 0x2 | 1 << 0xd | 1 << 0xf,
	};

	return !(allowed[time] & 1 << policy) || (ata && policy == ABORT_RECOVERY);
}

void pbs_cdl_check(struct pbs_cdl_descriptor *descriptor, bool ata)
{
	for (unsigned time = 0; time < PBS_CDL_TIMES; time++) {
		const struct pbs_cdl_limit *limit = &descriptor->limit[time];

		if (limit->ns && limit->policy >= 0 && !descriptor->odd[0] &&
		    is_reserved((enum pbs_cdl_time)time, limit->policy, ata))
			snprintf(descriptor->odd, sizeof(descriptor->odd),
				 "%s has the reserved policy %xh",
				 pbs_cdl_time_name((enum pbs_cdl_time)time),
				 (unsigned)limit->policy);
	}
}

const char *pbs_cdl_policy_name(int32_t policy)
{
	static const char *const names[POLICIES] = {
		[0x0] = "complete-earliest",   [0x1] = "continue-next-limit",
		[0x2] = "continue-no-limit",   [0xd] = "complete-unavailable",
		[ABORT_RECOVERY] = "abort-recovery", [0xf] = "abort",
	};

	if (policy < 0)
		return "unknown";
	return policy < POLICIES && names[policy] ? names[policy] : "reserved";
}

const char *pbs_cdl_time_name(enum pbs_cdl_time time)
{
	static const char *const names[PBS_CDL_TIMES] = {"inactive", "active", "guideline"};

	return names[time];
}

const char *pbs_cdl_counts_name(enum pbs_cdl_counts counts)
{
	static const char *const names[] = {
		[PBS_CDL_COUNTS_NOTHING] = "nothing",
		[PBS_CDL_COUNTS_INACTIVE] = "inactive exceeded",
		[PBS_CDL_COUNTS_ACTIVE] = "active exceeded",
		[PBS_CDL_COUNTS_EITHER] = "inactive or active exceeded",
		[PBS_CDL_COUNTS_COMMANDS] = "commands",
		[PBS_CDL_COUNTS_BOTH] = "inactive and active exceeded",
		[PBS_CDL_COUNTS_RESERVED] = "reserved",
	};

	return names[counts];
}

const char *pbs_cdl_direction_name(enum pbs_cdl_direction direction)
{
	return direction == PBS_CDL_READ ? "read" : "write";
}

const char *pbs_cdl_source_name(enum pbs_cdl_source source)
{
	static const char *const names[] = {
		[PBS_CDL_FROM_NOWHERE] = "nowhere",
		[PBS_CDL_FROM_LOG] = "ATA log 18h",
		[PBS_CDL_FROM_MODE_PAGES] = "mode pages 0Ah/07h and 0Ah/08h",
		[PBS_CDL_FROM_LIBATA] = "mode pages 0Ah/07h and 0Ah/08h of the kernel's translation",
	};

	return names[source];
}

static int format_limit(const struct pbs_cdl_limit *limit, enum pbs_cdl_time time, char *text,
			size_t size)
{
	const char *unit = "ns";
	uint64_t number = limit->ns;

	if (number % NS_PER_MS == 0) {
		number /= NS_PER_MS;
		unit = "ms";
	} else if (number % NS_PER_US == 0) {
		number /= NS_PER_US;
		unit = "us";
	}
	return snprintf(text, size, "%s %" PRIu64 " %s %s", pbs_cdl_time_name(time), number, unit,
			pbs_cdl_policy_name(limit->policy));
}

const char *pbs_cdl_format(const struct pbs_cdl_descriptor *descriptor, char *text, size_t size)
{
	size_t used = 0;

	snprintf(text, size, "no limit");
	for (unsigned time = 0; time < PBS_CDL_TIMES; time++) {
		if (!descriptor->limit[time].ns || used + sizeof(", ") > size)
			continue;
		if (used)
			used += (size_t)snprintf(text + used, size - used, ", ");
		used += (size_t)format_limit(&descriptor->limit[time], (enum pbs_cdl_time)time,
					     text + used, size - used);
	}
	return text;
}
