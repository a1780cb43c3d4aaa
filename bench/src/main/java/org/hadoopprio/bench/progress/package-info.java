/** How far a long run is, for people. */
package org.hadoopprio.bench.progress;
