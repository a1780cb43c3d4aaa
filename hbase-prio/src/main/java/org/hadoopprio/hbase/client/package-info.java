/**
 * States an I/O priority from an HBase client.
 *
 * <p>{@link org.hadoopprio.hbase.client.IoPriorities} is the whole package: it writes the attribute
 * {@code io.priority} on an operation, a request or a connection, and {@code IO_PRIORITY} in a
 * table's descriptor. The values are text, so the HBase shell writes them too:
 *
 * <pre>
 * get 't', 'r', {ATTRIBUTES =&gt; {'io.priority' =&gt; 'rt:3'}}
 * scan 't', {ATTRIBUTES =&gt; {'io.priority' =&gt; 'idle'}}
 * alter 't', METADATA =&gt; {'IO_PRIORITY' =&gt; 'be:7'}
 * alter 't', METHOD =&gt; 'table_att_unset', NAME =&gt; 'IO_PRIORITY'
 * </pre>
 *
 * <p>What the RegionServer makes of them is in {@link org.hadoopprio.hbase.regionserver}.
 */
package org.hadoopprio.hbase.client;
