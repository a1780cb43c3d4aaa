/** Reads of HDFS files with an I/O priority. */
package org.hadoopprio.hdfs;
