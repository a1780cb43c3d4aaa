/* SPDX-License-Identifier: Apache-2.0 */
/* What every unit test includes: cmocka with the headers it needs. */
#ifndef PBS_UNIT_H
#define PBS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
