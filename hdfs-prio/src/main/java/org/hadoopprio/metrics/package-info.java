/** Counters of this process, shown in JMX. */
package org.hadoopprio.metrics;
