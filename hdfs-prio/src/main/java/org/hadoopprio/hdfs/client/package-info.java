/**
 * Priorities in an HDFS client: {@link org.hadoopprio.hdfs.client.PriorityReads} is the API, {@link
 * org.hadoopprio.hdfs.client.CurrentPriority} decides which source counts, {@link
 * org.hadoopprio.hdfs.client.ClientReads} is what the hooks call.
 */
package org.hadoopprio.hdfs.client;
