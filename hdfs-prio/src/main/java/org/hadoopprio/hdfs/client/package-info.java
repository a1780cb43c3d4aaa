// SPDX-License-Identifier: Apache-2.0
/**
 * Priorities in an HDFS client: {@link org.hadoopprio.hdfs.PriorityReads} is the API, {@link
 * org.hadoopprio.hdfs.client.CurrentPriority} decides which source applies, {@link
 * org.hadoopprio.hdfs.client.ClientReads} is the delegate of the hooks.
 */
package org.hadoopprio.hdfs.client;
