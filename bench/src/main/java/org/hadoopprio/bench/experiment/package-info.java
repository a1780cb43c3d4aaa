/**
 * The frame of the experiments: what is measured ({@link
 * org.hadoopprio.bench.experiment.Experiment}), and what follows from it ({@link
 * org.hadoopprio.bench.experiment.Findings}).
 */
package org.hadoopprio.bench.experiment;
