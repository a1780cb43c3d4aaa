// SPDX-License-Identifier: Apache-2.0
/** Gives the requests of a DataNode's WebHDFS, a client of HDFS, their priority. */
package org.hadoopprio.hdfs.web;
