// SPDX-License-Identifier: Apache-2.0
/**
 * The experiments on reads for which a user waits together: {@link
 * org.hadoopprio.lab.bench.together.OutputsExperiment} has outputs that need several reads of HDFS,
 * one after the other, {@link org.hadoopprio.lab.bench.together.MultiGetExperiment} rows of HBase
 * that are got at a time. {@code StreamsBed} measures.
 */
package org.hadoopprio.lab.bench.together;
