/**
 * What hadoop-prio costs where there is nothing to gain: stock Hadoop and hadoop-prio side by side
 * on an idle machine.
 *
 * <p>{@link org.hadoopprio.lab.bench.overhead.OverheadExperiment} is the experiment. It compares
 * the daemons and clients of {@link org.hadoopprio.lab.bench.overhead.SideBySide}, with and without
 * hints, the DataNodes of {@link org.hadoopprio.lab.bench.overhead.EnginesBed}, and the modes of
 * the DataNodes of {@link org.hadoopprio.lab.bench.overhead.SchedulerBed}; {@link
 * org.hadoopprio.lab.bench.overhead.Ratios} is the arithmetic of all.
 */
package org.hadoopprio.lab.bench.overhead;
