// SPDX-License-Identifier: Apache-2.0
/**
 * What HDFS clients and DataNodes tell each other: the field of the DataTransferProtocol that
 * carries a priority, and the messages about short-circuit reads; see docs/protocol.md.
 */
package org.hadoopprio.hdfs.wire;
