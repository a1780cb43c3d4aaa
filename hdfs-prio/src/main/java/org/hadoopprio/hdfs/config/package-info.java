// SPDX-License-Identifier: Apache-2.0
/** All configuration keys of the HDFS part, and the change of a running DataNode. */
package org.hadoopprio.hdfs.config;
