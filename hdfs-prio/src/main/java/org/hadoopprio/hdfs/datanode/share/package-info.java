/**
 * Keeps the background alive: real-time reads that have used more than their share of a volume's
 * disk time while others wait are paced. {@link org.hadoopprio.hdfs.datanode.share.RealtimePackets}
 * is what the hooks call, {@code DiskTimeGate} decides, {@code VolumePacer} makes threads wait.
 */
package org.hadoopprio.hdfs.datanode.share;
