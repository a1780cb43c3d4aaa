// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

/**
 * One start of a process.
 *
 * @param seconds from the start of the process until it is ready
 * @param cpuSeconds CPU time until then, and what the JIT compiler does for it; see {@link
 *     TaskStart}
 */
record StartUp(double seconds, double cpuSeconds) {}
