/** The hprio command. */
package org.hadoopprio.lab.bench.cli;
