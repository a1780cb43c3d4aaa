// SPDX-License-Identifier: Apache-2.0
/** {@code hprio prove}: reads a row with a priority, and shows at each hop where that arrives. */
package org.hadoopprio.tools.prove;
