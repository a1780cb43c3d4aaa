/** What a request passed on its way to the disk, and what the disk was asked for. */
package org.hadoopprio.bench.trace;
