/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the running kernel's XFS is one whose blocks ncq may read. */
#ifndef PBS_XFS_KERNEL_H
#define PBS_XFS_KERNEL_H

#include "failure.h"

/*
 * Before Linux 5.8 XFS gives a file blocks before the data is on them, and does not mark them ("xfs: force writes to
 * delalloc regions to unwritten"), so that a read of the disk would see what other files left there. Distributions may
 * have brought the change to older kernels; nothing shows that, so those count as old, too. proc is where procfs is
 * mounted. 0; or -1, and why not.
 */
int pbs_xfs_kernel_check(const char *proc, struct pbs_failure *failure);

#endif
