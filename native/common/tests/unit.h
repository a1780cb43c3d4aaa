/* SPDX-License-Identifier: Apache-2.0 */
/* What every unit test of the native parts includes: cmocka with the headers it needs. */
#ifndef HPRIO_UNIT_H
#define HPRIO_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * Something that the test needs is missing: skips the test, or fails it where CI=true. The only way to skip one:
 * "bin/hprio verify" looks for what this says, by the words of bin/lib/needs.py.
 */
static inline void unit_missing(const char *what, const char *detail)
{
	const char *ci = getenv("CI");

	print_message("needs %s: %s\n", what, detail);
	if (ci && strcmp(ci, "true") == 0)
		fail_msg("with CI=true nothing may be missing");
	skip();
}

#endif
