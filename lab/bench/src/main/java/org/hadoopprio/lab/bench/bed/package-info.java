// SPDX-License-Identifier: Apache-2.0
/** What experiments have in common that measure clients of clusters on virtual disks. */
package org.hadoopprio.lab.bench.bed;
