// SPDX-License-Identifier: Apache-2.0
/** The MXBean {@code org.hadoopprio:type=IoPriority}: counters, hooks and engines of a process. */
package org.hadoopprio.jmx;
