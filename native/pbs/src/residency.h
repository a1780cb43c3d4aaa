/* SPDX-License-Identifier: Apache-2.0 */
/* What of a file is in the page cache, and what is only there (cachestat where there is one, mincore(2)). */
#ifndef PBS_RESIDENCY_H
#define PBS_RESIDENCY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Whether all pages of the range are in the page cache and up to date. The range must lie within the
 * file. False if it cannot be found out. To a process that neither owns the file nor
 * may write it, the kernel always answers "true".
 */
bool pbs_resident(int fd, uint64_t offset, uint64_t length);

enum pbs_dirty {
	PBS_DIRTY_NO,
	PBS_DIRTY_YES,
	PBS_DIRTY_UNKNOWN,
};

/*
 * Whether a page of the range, at least one byte, is still to be written or on its way to the disk. "No" after
 * a write has ended means that its bytes are on the disk. Unknown before Linux 6.5, and to a process that
 * neither owns the file nor may write it.
 */
enum pbs_dirty pbs_dirty(int fd, uint64_t offset, uint64_t length);

/* Of struct pbs_clean: the file was never found clean. */
#define PBS_NEVER_CLEAN INT64_MIN

/* An open file's. Thread-safe. */
struct pbs_clean {
	atomic_int_fast64_t changed_ns; /* its time of change when it was found clean */
};

/*
 * The same of a whole file, for which the kernel goes through all pages that are cached: up to 4 ms where these
 * are 100 MiB. So a file that was found clean is not asked for until its time of change is another. That time must lie
 * a second back, as a further change may have the same. Thread-safe.
 */
enum pbs_dirty pbs_file_dirty(int fd, struct pbs_clean *clean);

#endif
