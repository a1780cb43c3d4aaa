// SPDX-License-Identifier: Apache-2.0
/**
 * Priorities in a DataNode: {@link org.hadoopprio.hdfs.datanode.AdmittedRequest} has {@link
 * org.hadoopprio.hdfs.datanode.DataNodePolicy} decide what a request is granted, {@link
 * org.hadoopprio.hdfs.datanode.DataNodeReads} is the delegate of the hooks.
 */
package org.hadoopprio.hdfs.datanode;
