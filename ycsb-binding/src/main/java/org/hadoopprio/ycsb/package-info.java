/** A YCSB binding for the HBase 2 client whose operations carry an I/O priority. */
package org.hadoopprio.ycsb;
