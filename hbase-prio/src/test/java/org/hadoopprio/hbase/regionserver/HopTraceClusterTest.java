// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.log.HopTrace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The trace lines of a request in the RegionServer. */
@ExtendWith(MiniCluster.class)
class HopTraceClusterTest {

  @Test
  void aGetLeavesOneLineAtDispatchAndOneAtItsOperation() throws Exception {
    TableName name = MiniCluster.table("traced", null);
    LogLines lines = new LogLines();
    Logger logger = Logger.getLogger(HopTrace.LOGGER);
    logger.addAppender(lines);
    logger.setLevel(Level.DEBUG);
    try (Table table = MiniCluster.connection().getTable(name)) {
      table.get(IoPriorities.set(new Get(Bytes.toBytes("row\u0000")), IoPriority.realtime(3)));
    } finally {
      logger.setLevel(null);
      logger.removeAppender(lines);
    }
    List<String> traced = new ArrayList<>(lines.written());
    traced.removeIf(line -> !line.contains("table=traced"));
    assertEquals(2, traced.size(), lines.written().toString());
    assertTrue(
        traced.get(0).startsWith("hop=regionserver-rpc priority=rt:3 method=Get"), traced.get(0));
    assertTrue(traced.get(0).endsWith("row=row\\x00 queue=realtime"), traced.get(0));
    assertTrue(traced.get(1).startsWith("hop=regionserver-op priority=rt:3 op=get"), traced.get(1));
    assertTrue(traced.get(1).endsWith("row=row\\x00"), traced.get(1));
  }
}
