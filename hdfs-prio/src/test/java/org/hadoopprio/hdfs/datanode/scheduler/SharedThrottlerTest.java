// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitAsleep;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.agent.WovenClass;
import org.hadoopprio.agent.hooks.PacketWaitHooks;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.hdfs.datanode.UnstartedDataNode;
import org.hadoopprio.off.AgentModule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One throttler of a DataNode, which limits copies from all of its volumes together. */
@Timeout(60)
class SharedThrottlerTest {

  private static final int PACKET = 64 << 10;
  private static final long BLOCK = 16 << 20;

  /** As HDFS has it; a thread sleeps at most about so long without our doing. */
  private static final long PERIOD_MILLIS = 500;

  private static final long BYTES_PER_PERIOD = 1000;

  private final Configuration conf = new Configuration(false);
  private final List<Sender> senders = new ArrayList<>();
  private DataNode dataNode;
  private Object throttler;
  private Method throttle;

  @BeforeEach
  void make() throws Exception {
    WorkingDirectory.requireBlockDevice();
    conf.set(SchedulerKeys.STREAMS.name(), "1");
    dataNode = UnstartedDataNode.of(conf);
    Class<?> woven = WovenClass.of(PacketWaitHooks.DATA_TRANSFER_THROTTLER, AgentModule.SCHEDULER);
    throttler =
        woven
            .getConstructor(long.class, long.class)
            .newInstance(PERIOD_MILLIS, BYTES_PER_PERIOD * 1000 / PERIOD_MILLIS);
    throttle = woven.getMethod("throttle", long.class);
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Sender sender : senders) {
      sender.executor.shutdownNow();
      assertTrue(sender.executor.awaitTermination(30, TimeUnit.SECONDS));
    }
  }

  private static FsVolumeSpi volume() {
    return Stubs.answering(
        FsVolumeSpi.class, "getBaseURI", () -> Path.of("").toAbsolutePath().toUri());
  }

  /** Sends a block on a thread of its own. */
  private final class Sender {

    private final long block;
    private final ReplicaInputStreams replica;
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private final ExecutorService executor =
        Executors.newSingleThreadExecutor(
            work -> {
              thread.set(new Thread(work));
              return thread.get();
            });

    Sender(FsVolumeSpi volume, long block) {
      this.block = block;
      FsVolumeReference reference =
          Stubs.answering(FsVolumeReference.class, "getVolume", () -> volume);
      replica =
          new ReplicaInputStreams(new ByteArrayInputStream(new byte[0]), null, reference, null);
      senders.add(this);
    }

    Future<Object> packet(long number) {
      return starts(
          () ->
              ScheduledReads.packet(
                  dataNode,
                  new ExtendedBlock("pool", block),
                  replica,
                  number,
                  number * PACKET,
                  BLOCK));
    }

    Future<Object> throttles(long bytes) {
      return starts(
          () -> {
            throttle.invoke(throttler, bytes);
            return bytes;
          });
    }

    private Future<Object> starts(Callable<Object> work) {
      return executor.submit(work);
    }

    void assertWaits(Future<?> work) {
      awaitAsleep(thread.get(), work);
    }
  }

  /** Fails before a read that holds it back would be lost. */
  private static void assertGoes(Future<?> work) throws Exception {
    assertNotNull(work.get(Disk.LOST_NANOS * 4 / 5, TimeUnit.NANOSECONDS));
  }

  @Test
  void whoHasToWaitForATurnAfterItKeepsItFromNobody() throws Exception {
    FsVolumeSpi busy = volume();
    Sender limited = new Sender(busy, 1);
    assertGoes(limited.packet(0));
    Sender stream = new Sender(busy, 2);
    Future<Object> streams = stream.packet(0);
    stream.assertWaits(streams);
    Future<Object> throttled = limited.throttles(BYTES_PER_PERIOD);
    // It has given its turn away, and the other one keeps it.
    assertGoes(streams);
    assertGoes(throttled);
    Future<Object> next = limited.packet(1);
    limited.assertWaits(next);
    Sender elsewhere = new Sender(volume(), 3);
    assertGoes(elsewhere.throttles(1));
    assertFalse(next.isDone());
  }
}
