/**
 * What hadoop-prio costs where there is nothing to gain: stock Hadoop and hadoop-prio side by side
 * on an idle machine, everything in memory.
 *
 * <p>{@link org.hadoopprio.bench.overhead.OverheadExperiment} is the experiment, {@link
 * org.hadoopprio.bench.overhead.SideBySide} the daemons and clients it compares, {@link
 * org.hadoopprio.bench.overhead.Ratios} the arithmetic.
 */
package org.hadoopprio.bench.overhead;
