// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

/**
 * A thread of an application on one core: it keeps a number of reads under way.
 *
 * @param thinkSeconds the mean time between an answer and the next read, in seconds; 0 is at once
 */
record Job(String application, SubmissionQueue queue, int depth, double thinkSeconds) {}
