// SPDX-License-Identifier: Apache-2.0
/**
 * The reads and writes of each volume take turns at its disk: {@link
 * org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads} is the delegate of the hooks, {@link
 * org.hadoopprio.disktime.Disk} decides, {@code VolumeQueue} makes threads wait.
 */
package org.hadoopprio.hdfs.datanode.scheduler;
