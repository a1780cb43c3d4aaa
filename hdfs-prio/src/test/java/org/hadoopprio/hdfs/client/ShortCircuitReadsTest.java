// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.WovenClass;
import org.hadoopprio.agent.hooks.BlockReaderLocalHooks;
import org.hadoopprio.hdfs.wire.DomainSockets;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.SwitchedOff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests short-circuit reads with their hooks: the files of replicas, and something that answers for
 * their DataNode.
 */
@Timeout(60)
class ShortCircuitReadsTest {

  private static final int BYTES = 64 << 10;

  /** Hadoop's reader of files, with the hook woven in. */
  private static final Object FILES;

  private static final Method FILE_READ;

  static {
    try {
      Class<?> hooked =
          WovenClass.of(BlockReaderLocalHooks.BLOCK_READER_IO_PROVIDER, AgentModule.HDFS_CLIENT);
      FILES = hooked.getConstructors()[0].newInstance(null, null, null);
      FILE_READ = hooked.getMethod("read", FileChannel.class, ByteBuffer.class, long.class);
    } catch (IOException | ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @TempDir private Path directory;

  /** What the thread had when it had read the file. */
  private IoPriority readAt;

  /** The blocks about which the DataNode was asked, in that order. */
  private final Queue<Long> asked = new ConcurrentLinkedQueue<>();

  private final List<Closeable> open = new ArrayList<>();
  private String socket;
  private TurnClient client;

  @BeforeEach
  void start() {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
    socket = directory.resolve("socket").toString();
    client = new TurnClient(socket, new RestingVolumes(() -> 0));
  }

  @AfterEach
  void close() throws IOException {
    // What a failed test may have left.
    Thread.interrupted();
    for (Closeable each : open) {
      each.close();
    }
  }

  /** A DataNode that answers, or says nothing where the answer is null. */
  private void serve(Function<TurnRequest, TurnAnswer> answers) throws IOException {
    DomainSockets.require();
    DomainSocket listening = DomainSocket.bindAndListen(socket);
    open.add(listening);
    start(
        () -> {
          while (true) {
            DomainSocket client = listening.accept();
            start(() -> serve(client, answers));
          }
        });
  }

  private void serve(DomainSocket client, Function<TurnRequest, TurnAnswer> answers)
      throws IOException {
    try (DomainSocket closing = client) {
      TurnRequest request = TurnRequest.read(client.getInputStream(), () -> {});
      while (request != null) {
        if (!request.isLeft()) {
          asked.add(request.block());
          TurnAnswer answer = answers.apply(request);
          if (answer != null) {
            answer.writeTo(client.getOutputStream());
          }
        }
        request = TurnRequest.read(client.getInputStream(), () -> {});
      }
    }
  }

  private interface Served {
    void run() throws IOException;
  }

  private static void start(Served served) {
    Thread thread =
        new Thread(
            () -> {
              try {
                served.run();
              } catch (IOException e) {
                // The end of the test, or of the client.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** A block reader as HDFS makes it, of a block that is not in the page cache. */
  private final class Reader implements Closeable {
    final FileInputStream data;
    final ShortCircuitReplica replica;
    final BlockReader hooked =
        (BlockReader)
            Proxy.newProxyInstance(
                BlockReader.class.getClassLoader(),
                new Class<?>[] {BlockReader.class},
                (self, method, arguments) ->
                    method.getName().equals("hashCode") ? System.identityHashCode(self) : null);

    Reader(String volume, long block) throws IOException {
      Path in = directory.resolve(volume).resolve("current/BP-1/current/finalized");
      Path file = Files.createDirectories(in).resolve("blk_" + block);
      try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
        hole.setLength(BYTES);
      }
      // Of version 1, with no checksums.
      byte[] header = ByteBuffer.allocate(7).putShort((short) 1).put((byte) 0).putInt(512).array();
      Path checksums = Files.write(in.resolve("blk_" + block + "_1.meta"), header);
      data = new FileInputStream(file.toFile());
      replica =
          new ShortCircuitReplica(
              new ExtendedBlockId(block, "BP-1"),
              data,
              new FileInputStream(checksums.toFile()),
              null,
              0,
              null);
      ExtendedBlock opened = new ExtendedBlock("BP-1", block, BYTES, 1);
      ShortCircuitReads.opened(hooked, new ShortCircuitBlock(client, opened, "client"));
      open.add(this);
    }

    /** A read as BlockReaderLocal does it, with the hook on the file. */
    int read() throws Throwable {
      int applied = ShortCircuitReads.enter(hooked, replica);
      try {
        return (int) FILE_READ.invoke(FILES, data.getChannel(), ByteBuffer.allocate(BYTES), 0L);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      } finally {
        readAt = ThreadIoPriority.applied();
        ShortCircuitReads.leave(applied);
      }
    }

    @Override
    public void close() throws IOException {
      data.close();
      replica.getMetaStream().close();
    }
  }

  private void read(String volume, long block) throws Throwable {
    assertEquals(BYTES, new Reader(volume, block).read());
  }

  private static TurnAnswer go(TurnRequest request) {
    return TurnAnswer.go(request.length(), null);
  }

  @Test
  void anInterruptedReadEndsAsWithoutTheHooks() throws IOException {
    Reader reader = new Reader("disk", 1);
    Thread.currentThread().interrupt();
    assertThrows(ClosedByInterruptException.class, reader::read);
    assertTrue(Thread.interrupted(), "stays interrupted");
    assertFalse(reader.data.getChannel().isOpen(), "as Java does it");
  }

  /** One that were left to the garbage collector would be one for each positioned read. */
  @Test
  void aReaderThatIsClosedIsForgotten() throws Exception {
    Class<?> type =
        WovenClass.of(BlockReaderLocalHooks.BLOCK_READER_LOCAL, AgentModule.HDFS_CLIENT);
    BlockReader closed = (BlockReader) withoutConstructor(type);
    Field isClosed = type.getDeclaredField("closed");
    isClosed.setAccessible(true);
    isClosed.set(closed, true);
    ShortCircuitReads.opened(
        closed, new ShortCircuitBlock(client, new ExtendedBlock("BP-1", 1), "client"));
    assertTrue(ShortCircuitReads.knows(closed));
    closed.close();
    assertFalse(ShortCircuitReads.knows(closed));
  }

  /** An object of a class whose constructors need all of HDFS. */
  private static Object withoutConstructor(Class<?> type) throws ReflectiveOperationException {
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field instance = unsafe.getDeclaredField("theUnsafe");
    instance.setAccessible(true);
    return unsafe.getMethod("allocateInstance", Class.class).invoke(instance.get(null), type);
  }

  @Test
  void whenTheDataNodeIsSilentAboutAVolumeTheOthersAreAsked() throws Throwable {
    long unasked = PriorityMetrics.LOCAL_UNASKED.sum();
    serve(request -> request.block() < 10 ? null : go(request));
    read("hangs", 1);
    assertEquals(unasked + 1, PriorityMetrics.LOCAL_UNASKED.sum());
    read("hangs", 2);
    read("works", 10);
    read("works", 11);
    assertEquals(List.of(1L, 10L, 11L), List.copyOf(asked));
    assertEquals(unasked + 1, PriorityMetrics.LOCAL_UNASKED.sum());
  }

  @Test
  void aVolumeWhoseReadsDoNotWaitIsAskedAboutOnce() throws Throwable {
    serve(request -> request.block() < 10 ? TurnAnswer.FREE : go(request));
    read("free", 1);
    read("free", 2);
    read("disk", 10);
    read("disk", 11);
    assertEquals(List.of(1L, 10L, 11L), List.copyOf(asked));
  }

  /** What is read by short circuit passes a DataNode that is off, and its client follows. */
  @Test
  void aClientOfADataNodeThatIsOffSetsNothing() throws Throwable {
    AtomicLong clock = new AtomicLong();
    client = new TurnClient(socket, new RestingVolumes(clock::get));
    AtomicReference<TurnAnswer> answer = new AtomicReference<>(TurnAnswer.OFF);
    serve(request -> answer.get());
    try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
      read("disk", 1);
      assertNull(readAt, "while it asks");
      read("disk", 2);
      assertNull(readAt, "without asking again");
      assertEquals(List.of(1L), List.copyOf(asked));
      read("other", 3);
      assertNull(readAt);
      answer.set(TurnAnswer.go(BYTES, IoPriority.IDLE));
      clock.addAndGet(RestingVolumes.REST_NANOS);
      read("disk", 4);
      assertEquals(IoPriority.IDLE, readAt);
      assertNull(ThreadIoPriority.applied(), "afterwards");
      read("disk", 5);
      assertEquals(IoPriority.IDLE, readAt);
      assertEquals(List.of(1L, 3L, 4L, 5L), List.copyOf(asked));
    }
  }

  @Test
  void whileTheClientIsOffNobodyAsksAndNothingIsSet() throws Throwable {
    serve(ShortCircuitReadsTest::go);
    try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE);
        SwitchedOff off = SwitchedOff.all()) {
      read("disk", 1);
      assertNull(readAt);
      assertEquals(List.of(), List.copyOf(asked));
    }
  }
}
