// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatienceTest {

  private final Configuration conf = new Configuration(false);

  /** The last but one is HDFS's default, the last one waits without an end. */
  @ParameterizedTest
  @CsvSource({
    "1, 1000",
    "3000, 1000",
    "6000, 2000",
    "30000, 10000",
    "60000, 20000",
    "90000, 20000",
    "0, 20000"
  })
  void aThirdOfItIsWaitedAtMost(int patience, long longest) {
    assertEquals(ms(longest), Patience.longestWaitNanos(patience));
  }

  /** Time-out, and 5 s a node: two, and one for each 12.5 MiB; a third of that. */
  @ParameterizedTest
  @CsvSource({
    "60000, 268435456, 56666",
    "5000, 65536, 5000",
    "1, 13107200, 5000",
    "600000, 65536, 23333",
    "0, 65536, 23333"
  })
  void aTransferWaitsForAThirdOfWhatItsClientDoes(int patience, long bytes, long longest) {
    assertEquals(longest, Patience.transferNanos(patience, bytes) / ms(1));
  }

  @Test
  void byDefaultItIsHdfss() {
    assertEquals(60_000, Patience.ofOthers(conf));
    assertEquals(VolumeQueue.MAX_WAIT_NANOS, SchedulerSettings.of(conf).longestWaitNanos(0));
  }

  @ParameterizedTest
  @CsvSource({
    "5000, 480000, 5000",
    "60000, 9000, 9000",
    "0, 9000, 9000",
    "5000, 0, 5000",
    "0, 0, 0"
  })
  void theShorterTimeoutCounts(String read, String write, int patience) {
    conf.set("dfs.client.socket-timeout", read);
    conf.set("dfs.datanode.socket.write.timeout", write);
    assertEquals(patience, Patience.ofOthers(conf));
  }

  @Test
  void whatTheClientStatesGoesBeforeTheDataNodesOwn() {
    conf.setInt("dfs.client.socket-timeout", 6_000);
    SchedulerSettings settings = SchedulerSettings.of(conf);
    assertEquals(ms(2_000), settings.longestWaitNanos(0));
    assertEquals(ms(1_000), settings.longestWaitNanos(3_000));
    assertEquals(ms(10_000), settings.longestWaitNanos(30_000));
  }
}
