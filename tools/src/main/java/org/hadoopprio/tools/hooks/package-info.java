// SPDX-License-Identifier: Apache-2.0
/** {@code hprio hooks}: whether hadoop-prio fits a Hadoop or an HBase that is to be installed. */
package org.hadoopprio.tools.hooks;
