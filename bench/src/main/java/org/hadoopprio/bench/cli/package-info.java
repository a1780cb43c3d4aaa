/** The hprio command. */
package org.hadoopprio.bench.cli;
