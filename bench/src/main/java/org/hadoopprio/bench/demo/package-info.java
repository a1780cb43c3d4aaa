/** The demo: prioritised HBase reads beside idle MapReduce jobs, on real daemons. */
package org.hadoopprio.bench.demo;
