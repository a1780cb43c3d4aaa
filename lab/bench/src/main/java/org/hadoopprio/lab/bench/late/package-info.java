// SPDX-License-Identifier: Apache-2.0
/** Reads with a latency target while one of three disks is slow or hangs. */
package org.hadoopprio.lab.bench.late;
