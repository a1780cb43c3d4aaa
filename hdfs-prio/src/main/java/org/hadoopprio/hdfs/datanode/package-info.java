/**
 * Priorities in a DataNode: {@link org.hadoopprio.hdfs.datanode.DataNodePolicy} says what a request
 * is granted, {@link org.hadoopprio.hdfs.datanode.DataNodeReads} is what the hooks call.
 */
package org.hadoopprio.hdfs.datanode;
