/** The I/O priority, and the scope that states it. */
package org.hadoopprio;
