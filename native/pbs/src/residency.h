/* Whether a part of a file is in the page cache (cachestat where there is one, then mincore(2)). */
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

#endif
