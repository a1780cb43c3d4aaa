/** The configuration keys of the HBase part. */
package org.hadoopprio.hbase.config;
