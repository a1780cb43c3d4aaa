/** {@code hprio bench engines}: what a DataNode's engines cost beside stock zero-copy reads. */
package org.hadoopprio.bench.engines;
