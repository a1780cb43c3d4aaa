// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "host.h"

#include <errno.h>
#include <string.h>

static const uint16_t rt = HPRIO_CLASS_RT << 13;
static const uint16_t be = HPRIO_CLASS_BE << 13 | 4;
static const uint16_t idle = HPRIO_CLASS_IDLE << 13;

static void insert(struct vhdd_host *host, struct vhdd_host_request *request, uint16_t ioprio,
		   uint64_t offset, int64_t now_ns)
{
	memset(request, 0, sizeof(*request));
	request->drive.ioprio = ioprio;
	request->drive.offset = offset;
	request->submit_ns = now_ns;
	vhdd_host_insert(host, request);
}

static void none_is_by_arrival_and_by_tags(void **state)
{
	struct vhdd_host host;
	struct vhdd_host_request requests[3];

	(void)state;
	vhdd_host_init(&host, VHDD_HOST_NONE, 2);
	insert(&host, &requests[0], idle, 9 << 20, 0);
	insert(&host, &requests[1], be, 1 << 20, 0);
	insert(&host, &requests[2], rt, 5 << 20, 0);
	assert_ptr_equal(vhdd_host_dispatch(&host, 0), &requests[0]);
	assert_ptr_equal(vhdd_host_dispatch(&host, 0), &requests[1]);
	assert_null(vhdd_host_dispatch(&host, 0));
	vhdd_host_complete(&host, &requests[1]);
	assert_ptr_equal(vhdd_host_dispatch(&host, 0), &requests[2]);
}

static void deadline_holds_lower_classes(void **state)
{
	struct vhdd_host host;
	struct vhdd_host_request high;
	struct vhdd_host_request middle;
	struct vhdd_host_request none;
	struct vhdd_host_request low;

	(void)state;
	vhdd_host_init(&host, VHDD_HOST_MQ_DEADLINE, 32);
	insert(&host, &low, idle, 0, 0);
	insert(&host, &middle, be, 1 << 20, 0);
	insert(&host, &none, 0, 2 << 20, 0);
	insert(&host, &high, rt, 3 << 20, 0);
	assert_ptr_equal(vhdd_host_dispatch(&host, 0), &high);
	/* Tags are free, but a real-time request is in the drive. */
	assert_null(vhdd_host_dispatch(&host, 0));
	vhdd_host_complete(&host, &high);
	/* No class is best effort. */
	assert_ptr_equal(vhdd_host_dispatch(&host, 0), &middle);
	assert_ptr_equal(vhdd_host_dispatch(&host, 0), &none);
	assert_null(vhdd_host_dispatch(&host, 0));
	vhdd_host_complete(&host, &middle);
	assert_null(vhdd_host_dispatch(&host, 0));
	vhdd_host_complete(&host, &none);
	assert_ptr_equal(vhdd_host_dispatch(&host, 0), &low);
}

static void deadline_lets_an_aged_request_pass(void **state)
{
	struct vhdd_host host;
	struct vhdd_host_request high[2];
	struct vhdd_host_request low;

	(void)state;
	vhdd_host_init(&host, VHDD_HOST_MQ_DEADLINE, 32);
	insert(&host, &low, be, 0, 0);
	insert(&host, &high[0], rt, 0, 0);
	assert_ptr_equal(vhdd_host_dispatch(&host, 0), &high[0]);
	assert_null(vhdd_host_dispatch(&host, 10 * NS_PER_S - 1));
	insert(&host, &high[1], rt, 0, 10 * NS_PER_S);
	assert_ptr_equal(vhdd_host_dispatch(&host, 10 * NS_PER_S), &low);
	assert_ptr_equal(vhdd_host_dispatch(&host, 10 * NS_PER_S), &high[1]);
}

static void deadline_goes_by_offset_until_one_expires(void **state)
{
	struct vhdd_host host;
	struct vhdd_host_request requests[40];

	(void)state;
	vhdd_host_init(&host, VHDD_HOST_MQ_DEADLINE, 64);
	/* The oldest is at the far end, the rest by falling offset. */
	for (size_t i = 0; i < 40; i++)
		insert(&host, &requests[i], be, (i == 0 ? 100 : 40 - i) << 20, 0);
	for (size_t i = 0; i < 16; i++)
		assert_ptr_equal(vhdd_host_dispatch(&host, 0), &requests[39 - i]);
	/* The batch is over, but nothing has expired. */
	assert_ptr_equal(vhdd_host_dispatch(&host, 0), &requests[23]);
	for (size_t i = 1; i < 16; i++)
		assert_ptr_equal(vhdd_host_dispatch(&host, NS_PER_S), &requests[23 - i]);
	assert_ptr_equal(vhdd_host_dispatch(&host, NS_PER_S), &requests[0]);
	/* Behind the last offset: from the oldest again. */
	assert_ptr_equal(vhdd_host_dispatch(&host, NS_PER_S), &requests[1]);
}

static void names_its_schedulers(void **state)
{
	enum vhdd_host_scheduler scheduler = VHDD_HOST_NONE;

	(void)state;
	assert_int_equal(vhdd_host_scheduler_parse("mq-deadline", &scheduler), 0);
	assert_int_equal(scheduler, VHDD_HOST_MQ_DEADLINE);
	assert_string_equal(vhdd_host_scheduler_name(scheduler), "mq-deadline");
	assert_int_equal(vhdd_host_scheduler_parse("bfq", &scheduler), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_is_by_arrival_and_by_tags),
		cmocka_unit_test(deadline_holds_lower_classes),
		cmocka_unit_test(deadline_lets_an_aged_request_pass),
		cmocka_unit_test(deadline_goes_by_offset_until_one_expires),
		cmocka_unit_test(names_its_schedulers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
