// SPDX-License-Identifier: Apache-2.0
/**
 * The ways in which a DataNode reads a finalized replica for a real-time read: stock HDFS code on a
 * thread with a priority, or the native library of {@code native/pbs}.
 */
package org.hadoopprio.hdfs.datanode.engine;
