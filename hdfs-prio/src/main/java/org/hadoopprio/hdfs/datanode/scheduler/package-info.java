// SPDX-License-Identifier: Apache-2.0
/**
 * One scheduler of each volume's disk time: {@link
 * org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads} is the delegate of the hooks, {@code
 * VolumeScheduler} decides, {@code VolumeQueue} makes threads wait.
 */
package org.hadoopprio.hdfs.datanode.scheduler;
