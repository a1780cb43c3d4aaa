// SPDX-License-Identifier: Apache-2.0
/**
 * What latency targets do: {@link org.hadoopprio.lab.bench.latency.OutputsExperiment} and {@link
 * org.hadoopprio.lab.bench.latency.MultiGetExperiment} have several reads together, with one
 * target, beside streams.
 */
package org.hadoopprio.lab.bench.latency;
