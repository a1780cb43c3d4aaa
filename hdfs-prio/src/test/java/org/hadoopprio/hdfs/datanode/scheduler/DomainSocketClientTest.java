// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.agent.WovenClass;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.hdfs.datanode.UnstartedDataNode;
import org.hadoopprio.hdfs.wire.DomainSockets;
import org.hadoopprio.off.AgentModule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests reads whose data goes to the client through a domain socket, with the hook on it. */
@Timeout(60)
class DomainSocketClientTest {

  private static final long BLOCK = 128L << 20;
  private static final int MIB = 1 << 20;

  private final Configuration conf = new Configuration(false);
  private final FsVolumeSpi volume =
      Stubs.answering(FsVolumeSpi.class, "getBaseURI", () -> Path.of("").toAbsolutePath().toUri());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final DomainSocket[] sockets = new DomainSocket[2];
  private ClassReloadingStrategy hooks;
  private DataNode dataNode;

  @BeforeEach
  void start() throws Exception {
    DomainSockets.require();
    WorkingDirectory.requireBlockDevice();
    // Whether or not this machine's disk rotates.
    conf.set(SchedulerKeys.STREAMS.name(), "1");
    dataNode = UnstartedDataNode.of(conf);
    System.arraycopy(DomainSocket.socketpair(), 0, sockets, 0, 2);
    hooks = ClassReloadingStrategy.of(ByteBuddyAgent.install());
    weave(sockets[0].getOutputStream().getClass());
  }

  private void weave(Class<?> type) throws ClassNotFoundException {
    DynamicType.Builder<?> woven = new ByteBuddy().redefine(type);
    for (Hook hook : WovenClass.hooks(type.getName(), AgentModule.SCHEDULER)) {
      woven = woven.visit(Advice.to(Class.forName(hook.advice())).on(hook.methods()));
    }
    woven.make().load(type.getClassLoader(), hooks);
  }

  @AfterEach
  void stop() throws Exception {
    threads.shutdownNow();
    for (DomainSocket socket : sockets) {
      if (socket != null) {
        socket.close();
      }
    }
    if (hooks != null && sockets[0] != null) {
      hooks.reset(sockets[0].getOutputStream().getClass());
    }
  }

  /** The first packet of a stream; returns when it has its turn. */
  private Object packet(long block) {
    ScheduledReads.beginOwn(new BlockRead(Volumes.of(conf, volume), block, 0, BLOCK), null);
    InputStream data = new ByteArrayInputStream(new byte[0]);
    FsVolumeReference reference =
        Stubs.answering(FsVolumeReference.class, "getVolume", () -> volume);
    ReplicaInputStreams replica = new ReplicaInputStreams(data, null, reference, null);
    return ScheduledReads.packet(dataNode, new ExtendedBlock("pool", block), replica, 0, 0, BLOCK);
  }

  @Test
  void whoDoesNotTakeItsDataDoesNotHaveTheDisk() throws Exception {
    CountDownLatch reads = new CountDownLatch(1);
    Future<?> slow =
        threads.submit(
            () -> {
              assertNotNull(packet(1));
              reads.countDown();
              // More than the socket takes.
              sockets[0].getOutputStream().write(new byte[MIB], 0, MIB);
              ScheduledReads.finish();
              return null;
            });
    reads.await();
    Future<?> other =
        threads.submit(
            () -> {
              assertNotNull(packet(2));
              ScheduledReads.finish();
              return null;
            });
    // Before the slow one would count as lost.
    other.get(Disk.LOST_NANOS / 2, TimeUnit.NANOSECONDS);
    assertFalse(slow.isDone(), "its client has taken nothing");
    byte[] taken = new byte[MIB];
    for (int at = 0; at < MIB; ) {
      at += sockets[1].getInputStream().read(taken, 0, MIB - at);
    }
    slow.get(10, TimeUnit.SECONDS);
  }
}
