/** {@code hprio doctor}: what keeps priorities from this node's disks, and what mends it. */
package org.hadoopprio.doctor;
