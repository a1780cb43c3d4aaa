// SPDX-License-Identifier: Apache-2.0
/**
 * What latency targets do: {@link org.hadoopprio.lab.bench.latency.OutputsExperiment} and {@link
 * org.hadoopprio.lab.bench.latency.MultiGetExperiment} have several reads together, with one
 * target, beside streams, {@link org.hadoopprio.lab.bench.latency.FaultsExperiment} reads while a
 * disk is slow or hangs.
 */
package org.hadoopprio.lab.bench.latency;
