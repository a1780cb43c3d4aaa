// SPDX-License-Identifier: Apache-2.0
/**
 * {@code hprio doctor}: finds what keeps priorities from taking effect on this node, and what fixes
 * it.
 */
package org.hadoopprio.tools.doctor;
