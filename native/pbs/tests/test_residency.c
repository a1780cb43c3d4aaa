// SPDX-License-Identifier: Apache-2.0
/* What the page cache has of a file, as cachestat(2) tells it; here the test does. */
#include "unit.h"

#include "residency.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>

/* Of include/uapi/linux/mman.h. */
struct told {
	uint64_t pages;
	uint64_t dirty;
	uint64_t writeback;
	uint64_t evicted;
	uint64_t recently_evicted;
};

static struct told told;
static uint64_t asked[2];
static int error;

long __wrap_syscall(long number, ...);

long __wrap_syscall(long number, ...)
{
	struct told *answer;
	const uint64_t *range;
	va_list arguments;

	(void)number;
	va_start(arguments, number);
	(void)va_arg(arguments, int);
	range = va_arg(arguments, const uint64_t *);
	answer = va_arg(arguments, struct told *);
	va_end(arguments);
	asked[0] = range[0];
	asked[1] = range[1];
	errno = error;
	if (error)
		return -1;
	*answer = told;
	return 0;
}

static void a_page_that_is_not_on_the_disk_is_dirty(void **state)
{
	static const struct {
		struct told told;
		int error;
		enum pbs_dirty wanted;
	} cases[] = {
		{{0}, 0, PBS_DIRTY_NO},
		{{.pages = 8}, 0, PBS_DIRTY_NO},
		{{.pages = 8, .dirty = 1}, 0, PBS_DIRTY_YES},
		{{.pages = 8, .writeback = 1}, 0, PBS_DIRTY_YES},
		{{.evicted = 3, .recently_evicted = 2}, 0, PBS_DIRTY_NO},
		/* Not the owner's file; an older kernel. */
		{{.dirty = 1}, EPERM, PBS_DIRTY_UNKNOWN},
		{{.dirty = 1}, ENOSYS, PBS_DIRTY_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		told = cases[i].told;
		error = cases[i].error;
		assert_int_equal(pbs_dirty(0, 4096, 100), cases[i].wanted);
		assert_int_equal(asked[0], 4096);
		assert_int_equal(asked[1], 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_that_is_not_on_the_disk_is_dirty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
