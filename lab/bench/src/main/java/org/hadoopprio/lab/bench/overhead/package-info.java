// SPDX-License-Identifier: Apache-2.0
/**
 * What hadoop-prio costs where there is nothing to gain: all data in memory, an idle machine.
 *
 * <p>{@link org.hadoopprio.lab.bench.overhead.OverheadExperiment} is the experiment: reads of one
 * pair of processes in each {@link org.hadoopprio.lab.bench.overhead.State}, and what the agent
 * adds to the start of a MapReduce task.
 */
package org.hadoopprio.lab.bench.overhead;
