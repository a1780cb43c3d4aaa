// SPDX-License-Identifier: Apache-2.0
/** Reads of HDFS files with an I/O priority. */
package org.hadoopprio.hdfs;
