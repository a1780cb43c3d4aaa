// SPDX-License-Identifier: Apache-2.0
/** A cluster of real Hadoop and HBase daemons on this machine, each a JVM of its own. */
package org.hadoopprio.lab.cluster;
