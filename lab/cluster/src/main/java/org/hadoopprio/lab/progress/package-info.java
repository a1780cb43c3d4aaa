/** The progress of long runs. */
package org.hadoopprio.lab.progress;
