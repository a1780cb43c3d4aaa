// SPDX-License-Identifier: Apache-2.0
/**
 * What a cluster does of its own accord beside what clients want, stock and with hadoop-prio's
 * defaults: Puts beside compactions.
 */
package org.hadoopprio.lab.bench.ownwork;
