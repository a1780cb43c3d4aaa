/**
 * One class a hook, and the modules that list them. Advice only delegates: to {@link
 * org.hadoopprio.hdfs.client.ClientReads} in clients, to {@link
 * org.hadoopprio.hdfs.datanode.DataNodeReads} in DataNodes.
 */
package org.hadoopprio.agent.hooks;
