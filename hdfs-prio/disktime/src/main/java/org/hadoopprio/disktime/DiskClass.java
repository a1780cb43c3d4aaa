// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/** The classes between which disk time is divided. */
public enum DiskClass {
  REALTIME,
  BEST_EFFORT,
  IDLE
}
