// SPDX-License-Identifier: Apache-2.0
/** Virtual disks of a cluster, as experiments use them: load, counters, validity gate. */
package org.hadoopprio.lab.bench.drives;
