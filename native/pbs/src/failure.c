// SPDX-License-Identifier: Apache-2.0
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

int pbs_fail(struct pbs_failure *failure, enum pbs_reason reason, const char *format, ...)
{
	va_list arguments;

	failure->reason = reason;
	va_start(arguments, format);
	vsnprintf(failure->text, sizeof(failure->text), format, arguments);
	va_end(arguments);
	return -1;
}
