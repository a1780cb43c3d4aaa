/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the background processes: a line on standard error, with time and writer. */
#ifndef VHDD_LOG_H
#define VHDD_LOG_H

/* writer is e.g. "watchdog"; the format has no newline at its end. */
void vhdd_log(const char *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
