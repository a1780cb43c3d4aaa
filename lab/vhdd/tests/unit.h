/* SPDX-License-Identifier: Apache-2.0 */
/* What every unit test includes: cmocka with the headers it needs, and the preset under test. */
#ifndef VHDD_UNIT_H
#define VHDD_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params.h"

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

static inline struct vhdd_params sdc21(void)
{
	struct vhdd_params params;

	assert_int_equal(vhdd_params_preset(&params, "sdc21"), 0);
	return params;
}

/* Both in the same unit. */
static inline void assert_near(double value, double wanted, double tolerance)
{
	if (!(value >= wanted - tolerance && value <= wanted + tolerance))
		fail_msg("%g is not within %g of %g", value, tolerance, wanted);
}

#endif
