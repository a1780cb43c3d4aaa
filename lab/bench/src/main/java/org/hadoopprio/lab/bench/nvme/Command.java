// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

/**
 * A read at the drive, or on its way there.
 *
 * @param submitted when it was put into its submission queue, in seconds
 */
record Command(Job job, double submitted) {}
