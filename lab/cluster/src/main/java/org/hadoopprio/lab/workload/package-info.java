// SPDX-License-Identifier: Apache-2.0
/**
 * Loads of a cluster, each in a process of its own: YCSB, MapReduce jobs, and streams of sequential
 * reads; and the data they work on. The demo and the experiments share them.
 */
package org.hadoopprio.lab.workload;
