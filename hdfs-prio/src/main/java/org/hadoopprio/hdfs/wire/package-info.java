/** The field of the DataTransferProtocol that carries a priority; see docs/protocol.md. */
package org.hadoopprio.hdfs.wire;
