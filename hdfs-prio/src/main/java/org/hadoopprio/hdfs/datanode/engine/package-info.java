/**
 * How a DataNode reads a finalized replica from its volume for a real-time read: through stock HDFS
 * on a thread with a priority, or through the native library of {@code native/pbs}.
 */
package org.hadoopprio.hdfs.datanode.engine;
