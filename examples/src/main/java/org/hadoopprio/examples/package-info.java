/** Small clients to start from. Each class has a {@code main} method. */
package org.hadoopprio.examples;
