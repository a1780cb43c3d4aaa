/** A cluster of real Hadoop and HBase daemons on this machine, each a JVM of its own. */
package org.hadoopprio.lab.cluster;
