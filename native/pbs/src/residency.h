/* SPDX-License-Identifier: Apache-2.0 */
/* What of a file is in the page cache, and what is only there (cachestat where there is one, mincore(2)). */
#ifndef PBS_RESIDENCY_H
#define PBS_RESIDENCY_H

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

#endif
