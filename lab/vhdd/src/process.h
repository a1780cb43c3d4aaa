/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that is known by a file: it holds a lock on its pid file for as long as it lives, so a
 * stale file or a reused pid is never taken for it.
 */
#ifndef VHDD_PROCESS_H
#define VHDD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Claims the pid file for the calling process until it ends: 0, or -errno. */
int vhdd_pidfile_claim(const char *path);

/* The pid of the process that holds the file, or 0. */
pid_t vhdd_pidfile_owner(const char *path);

/* A pidfd of the process that holds the file, or -1 when there is none. */
int vhdd_pidfile_open(const char *path);

/* Waits until the process has ended; false after timeout_ms. */
bool vhdd_process_ended(int pidfd, int timeout_ms);

/*
 * Ends the process that holds the pid file, if any: SIGTERM, and SIGKILL after timeout_ms. False
 * when it is still there.
 */
bool vhdd_process_stop(const char *pidfile, int timeout_ms);

/*
 * Makes the calling process, a fresh child, a background process called title: own session, directory /,
 * standard input and output /dev/null, and no other file descriptors than those in keep (count many)
 * and standard error.
 */
void vhdd_process_detach(const char *title, const int *keep, size_t count);

/* Sends standard error to the end of a file: 0, or -errno. */
int vhdd_process_log_to(const char *path);

#endif
