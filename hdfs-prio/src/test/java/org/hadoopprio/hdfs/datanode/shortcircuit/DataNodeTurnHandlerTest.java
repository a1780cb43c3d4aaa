// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.hdfs.datanode.UnstartedDataNode;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerSettings;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.MalformedMessageException;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;
import org.hadoopprio.off.SwitchedOff;
import org.junit.jupiter.api.Test;

/** Tests what a DataNode answers, with a data set of one volume at most. */
class DataNodeTurnHandlerTest {

  private final Configuration conf = new Configuration(false);
  private final FsVolumeSpi volume =
      Stubs.answering(FsVolumeSpi.class, "getBaseURI", () -> Path.of("").toAbsolutePath().toUri());

  /** The answer of a DataNode that has the block on that volume; null for none. */
  private TurnAnswer enter(FsVolumeSpi where, IoPriority asked) throws Exception {
    FsDatasetSpi<?> data = Stubs.answering(FsDatasetSpi.class, "getVolume", () -> where);
    DataNodeTurnHandler handler = new DataNodeTurnHandler(UnstartedDataNode.of(conf, data), "user");
    TurnRequest request =
        TurnRequest.enter("BP-1", 1, 1, 0, 1 << 20, 1 << 20, Hint.of(asked, null), "client", false);
    TurnAnswer answer = handler.enter(request, new ByteArrayOutputStream());
    handler.leave();
    return answer;
  }

  @Test
  void readsOfAVolumeThatHasNoTurnsNeedNotAsk() throws Exception {
    conf.set(SchedulerKeys.MODE.name(), "order");
    assertTrue(enter(volume, null).isFree());
  }

  /** It was deleted, or has gone elsewhere, while the client has it open. */
  @Test
  void aBlockThatIsNotHereSaysNothingOfAVolume() throws Exception {
    TurnAnswer answer = enter(null, IoPriority.realtime(0));
    assertEquals(1 << 20, answer.bytes());
    assertEquals(IoPriority.bestEffort(0), answer.priority(), "what the policy grants");
    assertNull(enter(null, null).priority());
  }

  @Test
  void aHighestBelowNormalBindsWithoutAPriority() throws Exception {
    conf.set("dfs.datanode.io.priority.highest", "idle");
    assertEquals(IoPriority.IDLE, enter(null, null).priority());
  }

  /** The data set makes a lock for each name that it is asked about, and logs it. */
  @Test
  void theDataSetIsNotAskedAboutAPoolThatIsNotServed() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    FsDatasetSpi<?> data = Stubs.counting(FsDatasetSpi.class, "getVolume", asked);
    DataNodeTurnHandler handler = new DataNodeTurnHandler(UnstartedDataNode.of(conf, data), "user");
    for (int i = 0; i < 1_000; i++) {
      TurnRequest request =
          TurnRequest.enter("BP-\n" + i, 1, 1, 0, 1, 1, Hint.NOTHING, "client", false);
      MalformedMessageException e =
          assertThrows(
              MalformedMessageException.class,
              () -> handler.enter(request, new ByteArrayOutputStream()));
      assertEquals("block pool \"BP-?" + i + "\" is not served here", e.getMessage());
    }
    assertEquals(0, asked.get());
  }

  @Test
  void whatIsOffIsSaid() throws Exception {
    conf.set(SchedulerKeys.LOCAL.name(), "false");
    try (SwitchedOff off = SwitchedOff.all()) {
      assertTrue(enter(volume, null).isOff());
      assertTrue(enter(null, IoPriority.IDLE).isOff(), "of no known volume");
    }
    assertTrue(enter(volume, null).isFree());
    mode("off");
    assertTrue(enter(volume, IoPriority.IDLE).isOff());
    assertTrue(enter(null, IoPriority.IDLE).isOff());
    mode("order, " + Path.of("").toAbsolutePath() + "=off");
    assertTrue(enter(volume, IoPriority.IDLE).isOff());
    assertEquals(IoPriority.IDLE, enter(null, IoPriority.IDLE).priority());
  }

  private void mode(String mode) {
    SchedulerSettings.reconfigure(conf, SchedulerKeys.MODE, mode);
  }
}
