/**
 * Limits real-time reads to a share of a volume's disk time while other reads wait. {@link
 * org.hadoopprio.hdfs.datanode.share.RealtimePackets} is the delegate of the hooks, {@code
 * DiskTimeGate} decides, {@code VolumePacer} makes threads wait.
 */
package org.hadoopprio.hdfs.datanode.share;
