// SPDX-License-Identifier: Apache-2.0
/**
 * How far the headline ratios depend on what is not known of the drive: the DataNode's own
 * scheduler above the drive model of {@code vhdd}, in virtual time.
 */
package org.hadoopprio.lab.bench.sensitivity;
