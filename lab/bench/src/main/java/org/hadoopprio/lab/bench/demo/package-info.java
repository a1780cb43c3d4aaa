// SPDX-License-Identifier: Apache-2.0
/** The demo: HBase reads beside HDFS scans, stock and with priorities, on real daemons. */
package org.hadoopprio.lab.bench.demo;
