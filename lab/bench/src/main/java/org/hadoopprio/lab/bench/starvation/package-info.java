// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment on starvation: what is left for other readers of a disk when real-time reads take
 * as much of it as they can get, and how streams share it among themselves. {@link
 * org.hadoopprio.lab.bench.starvation.StarvationExperiment} is the entry, {@code StarvationBed} the
 * cluster it measures on.
 */
package org.hadoopprio.lab.bench.starvation;
