// SPDX-License-Identifier: Apache-2.0
/**
 * {@code hprio doctor}: finds what keeps priorities from taking effect on this node, and what fixes
 * it. Also {@code hprio top}, who has the disks, {@code hprio admit}, whether a load fits, and
 * {@code hprio policy}, what a policy file grants.
 */
package org.hadoopprio.doctor;
