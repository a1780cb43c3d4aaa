// SPDX-License-Identifier: Apache-2.0

/**
 * Decides who may use a disk now, and accounts for it. {@link org.hadoopprio.disktime.Disk} is the
 * whole of it: whoever wants to read or write makes a {@link org.hadoopprio.disktime.Claim}, asks
 * with it, and is told when it may go.
 *
 * <p>A pure state machine: no threads, no clock, no files, no Hadoop. Waiting, threads and
 * measurement are the caller's. Nothing here is thread-safe but what is said to be: one lock for
 * each disk is the caller's, too. Times are nanoseconds of one monotonic clock of the caller.
 */
package org.hadoopprio.disktime;
