// SPDX-License-Identifier: Apache-2.0
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void vhdd_log(const char *writer, const char *format, ...)
{
	char when[sizeof("2000-01-01T00:00:00Z")];
	char text[512];
	time_t now = time(NULL);
	struct tm utc;
	va_list arguments;

	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fprintf(stderr, "%s %s: %s\n", when, writer, text);
}
