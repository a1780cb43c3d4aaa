// SPDX-License-Identifier: Apache-2.0
/**
 * {@code hprio bench device --nvme}: what weighted round robin of NVMe's submission queues does for
 * the I/O classes, in virtual time. No drive is measured.
 */
package org.hadoopprio.lab.bench.nvme;
