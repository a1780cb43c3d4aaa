// SPDX-License-Identifier: Apache-2.0
/**
 * Short-circuit reads in the queues of a DataNode's volumes: {@link
 * org.hadoopprio.hdfs.datanode.shortcircuit.TurnService} opens the socket at which the clients ask.
 */
package org.hadoopprio.hdfs.datanode.shortcircuit;
