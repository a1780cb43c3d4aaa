/* SPDX-License-Identifier: Apache-2.0 */
/* What every unit test of pbs includes. */
#ifndef PBS_UNIT_H
#define PBS_UNIT_H

#include "../../common/tests/unit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
