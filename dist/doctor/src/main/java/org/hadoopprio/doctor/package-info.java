/**
 * {@code hprio doctor}: finds what keeps priorities from taking effect on this node, and what fixes
 * it. Also {@code hprio top}, who has the disks, and {@code hprio admit}, whether a load fits.
 */
package org.hadoopprio.doctor;
