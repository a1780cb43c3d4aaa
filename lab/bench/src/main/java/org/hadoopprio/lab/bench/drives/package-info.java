/** Virtual disks of a cluster, as experiments use them: load, counters, validity gate. */
package org.hadoopprio.lab.bench.drives;
