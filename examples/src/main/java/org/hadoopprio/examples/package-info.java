/** Small clients to start from, each with a {@code main} of its own. */
package org.hadoopprio.examples;
