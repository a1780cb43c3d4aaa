/* SPDX-License-Identifier: Apache-2.0 */
/* Why something could not be done: a number for statistics, a text for people. */
#ifndef PBS_FAILURE_H
#define PBS_FAILURE_H

#include "hprio_pbs.h"

struct pbs_failure {
	enum pbs_reason reason;
	char text[PBS_TEXT];
};

/* Sets both and returns -1, for "return pbs_fail(...)". A text that is too long is cut. */
int pbs_fail(struct pbs_failure *failure, enum pbs_reason reason, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
