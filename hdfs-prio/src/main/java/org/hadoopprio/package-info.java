/** The priority itself, the scope that states it, and what all parts of hadoop-prio share. */
package org.hadoopprio;
