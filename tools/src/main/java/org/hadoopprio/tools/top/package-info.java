// SPDX-License-Identifier: Apache-2.0
/** {@code hprio top}: who has the disks of a DataNode now. */
package org.hadoopprio.tools.top;
