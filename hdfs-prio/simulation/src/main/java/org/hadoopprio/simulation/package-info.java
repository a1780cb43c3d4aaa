// SPDX-License-Identifier: Apache-2.0

/** The {@linkplain org.hadoopprio.disktime.Disk scheduler of disk time} in virtual time. */
package org.hadoopprio.simulation;
