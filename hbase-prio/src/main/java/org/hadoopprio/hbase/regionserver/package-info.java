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
 * <p>The hooks of the agent take the priority along to the threads that HBase seeks with if {@code
 * hbase.storescanner.parallel.seek.enable} is set, and tell a scanner's id when it is opened.
 * Without them such seeks have none, and the first follow-up call of a scan that is real-time by
 * its own attribute or by its table waits in the general queue. What HBase writes for a snapshot is
 * not covered.
 */
package org.hadoopprio.hbase.regionserver;
