// SPDX-License-Identifier: Apache-2.0
/** Figures, tables and the HTML page of an experiment. */
package org.hadoopprio.lab.bench.experiment.report;
