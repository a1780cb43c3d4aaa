// SPDX-License-Identifier: Apache-2.0
/**
 * What a cluster does of its own accord beside what clients want, stock and in the profiles of
 * hadoop-prio: Puts beside compactions.
 */
package org.hadoopprio.lab.bench.ownwork;
