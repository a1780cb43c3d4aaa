/** Counters of this process and their publication in Hadoop's metrics system. */
package org.hadoopprio.metrics;
