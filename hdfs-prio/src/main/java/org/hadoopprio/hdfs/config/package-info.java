/** All configuration keys of the HDFS part, and the change of a running DataNode. */
package org.hadoopprio.hdfs.config;
