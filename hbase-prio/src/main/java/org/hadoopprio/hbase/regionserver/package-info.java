/**
 * The RegionServer's part: finds out the priority of the operation a handler serves and keeps
 * real-time calls out of the queue behind scans.
 *
 * <p>An operator names two classes of this package in hbase-site.xml; the rest serves them.
 *
 * <ul>
 *   <li>{@link org.hadoopprio.hbase.regionserver.IoPriorityObserver}, a region coprocessor, notes
 *       each operation with the {@code CallPriorityProvider}, which answers the HDFS client's
 *       question when that reads. A scan keeps its priority in a {@code PriorityRegionScanner}, and
 *       {@code ScanReadType} fixes how it reads; {@code CompactionReads} does compactions.
 *   <li>{@link org.hadoopprio.hbase.regionserver.IoPriorityRpcSchedulerFactory} makes an {@code
 *       IoPriorityRpcScheduler}, which asks {@code DispatchPriority} before a call has a handler.
 * </ul>
 *
 * <p>Both decide through one {@code PriorityResolver} under one {@code PriorityPolicy}.
 *
 * <p>Not covered: seeks that HBase moves to other threads where {@code
 * hbase.storescanner.parallel.seek.enable} is set, and what HBase reads for itself, compactions
 * excepted (opening of store files, prefetch, replay). The first follow-up call of a scanner that
 * is real-time by its own attribute or by its table waits in the general queue, since only it
 * brings the scanner's id.
 */
package org.hadoopprio.hbase.regionserver;
