// SPDX-License-Identifier: Apache-2.0
/** {@code hprio admit}: whether a load fits on a volume of a DataNode. */
package org.hadoopprio.tools.admit;
