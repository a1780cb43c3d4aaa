// SPDX-License-Identifier: Apache-2.0
/**
 * The API with which an HBase client states an I/O priority.
 *
 * <p>{@link org.hadoopprio.hbase.client.IoPriorities} is its only class. It writes the attribute
 * {@code io.priority} on an operation, a request or a connection, and {@code IO_PRIORITY} in a
 * table's descriptor. The values are text, so the HBase shell can write them too:
 *
 * <pre>
 * get 't', 'r', {ATTRIBUTES =&gt; {'io.priority' =&gt; 'rt:3'}}
 * scan 't', {ATTRIBUTES =&gt; {'io.priority' =&gt; 'idle'}}
 * alter 't', METADATA =&gt; {'IO_PRIORITY' =&gt; 'idle'}
 * alter 't', METHOD =&gt; 'table_att_unset', NAME =&gt; 'IO_PRIORITY'
 * </pre>
 *
 * <p>{@code docs/hbase.md} describes what the RegionServer does with them.
 */
package org.hadoopprio.hbase.client;
