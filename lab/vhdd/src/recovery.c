// SPDX-License-Identifier: Apache-2.0
#include "recovery.h"

void vhdd_recovery_init(struct vhdd_recovery *recovery)
{
	STAILQ_INIT(&recovery->given_up);
	recovery->end_ns = INT64_MAX;
}

bool vhdd_recovery_pending(const struct vhdd_recovery *recovery)
{
	return !STAILQ_EMPTY(&recovery->given_up);
}

void vhdd_recovery_add(struct vhdd_recovery *recovery, struct vhdd_request *request)
{
	STAILQ_INSERT_TAIL(&recovery->given_up, request, link);
}

void vhdd_recovery_drained(struct vhdd_recovery *recovery, int64_t end_ns)
{
	recovery->end_ns = end_ns;
}

int64_t vhdd_recovery_end_ns(const struct vhdd_recovery *recovery)
{
	return recovery->end_ns;
}

struct vhdd_request *vhdd_recovery_next(struct vhdd_recovery *recovery)
{
	struct vhdd_request *request = STAILQ_FIRST(&recovery->given_up);

	if (request)
		STAILQ_REMOVE_HEAD(&recovery->given_up, link);
	else
		recovery->end_ns = INT64_MAX;
	return request;
}
