// SPDX-License-Identifier: Apache-2.0
/**
 * What a cluster does of its own accord beside what clients want, stock and in the profiles of
 * hadoop-prio: {@link org.hadoopprio.lab.bench.ownwork.CompactionsExperiment} has Puts beside
 * compactions, {@link org.hadoopprio.lab.bench.ownwork.RebuildExperiment} reads beside the copying
 * of lost replicas.
 */
package org.hadoopprio.lab.bench.ownwork;
