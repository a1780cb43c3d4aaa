// SPDX-License-Identifier: Apache-2.0
/**
 * The frame of the experiments: what is measured ({@link
 * org.hadoopprio.lab.bench.experiment.Experiment}), and what follows from it ({@link
 * org.hadoopprio.lab.bench.experiment.Findings}).
 */
package org.hadoopprio.lab.bench.experiment;
