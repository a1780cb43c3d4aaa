// SPDX-License-Identifier: Apache-2.0
/**
 * The RegionServer's part: determines the priority of the operation that a handler serves, and
 * keeps real-time calls from waiting behind scans.
 *
 * <p>An operator names two classes of this package in hbase-site.xml; the other classes support
 * them.
 *
 * <ul>
 *   <li>{@link org.hadoopprio.hbase.regionserver.IoPriorityObserver}, a region coprocessor, notes
 *       each operation with the {@code CallPriorityProvider}, which the HDFS client asks when it
 *       reads. A scan keeps its priority in a {@code PriorityRegionScanner}, and {@code
 *       ScanReadType} sets how it reads. What the RegionServer does of its own accord is in {@code
 *       ServerRoles}.
 *   <li>{@link org.hadoopprio.hbase.regionserver.IoPriorityRpcSchedulerFactory} creates an {@code
 *       IoPriorityRpcScheduler}, which uses {@code DispatchPriority} to select a queue for each
 *       call.
 * </ul>
 *
 * <p>Both use a {@code PriorityResolver} and a {@code PriorityPolicy}.
 *
 * <p>Not covered: seeks that HBase moves to other threads if {@code
 * hbase.storescanner.parallel.seek.enable} is set, and snapshots. If a scan is real-time by its own
 * attribute or by its table, its first follow-up call waits in the general queue, because the
 * scanner's id becomes known only then.
 */
package org.hadoopprio.hbase.regionserver;
