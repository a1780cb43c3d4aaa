// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.metrics.EngineStatus;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests when the library is called; it is not loaded, so each call of it fails and is counted. For
 * duration limits a volume stands for it.
 */
class EngineFileTest {

  private static final long ANY_HANDLE = 1;
  private static final int EXPIRED = 22;
  private static final int ETIME = 62;
  private static final int BE4 = 2 << 13 | 4;

  private final LimitChoice choice = new LimitChoice(DurationLimits.parse("3:20ms"), 1);

  private VolumeEngine engine;

  private EngineFile file(Engine kind, NativeVolume volume, ReadHints hints) {
    engine =
        new VolumeEngine(
            Path.of("/data/1"),
            kind,
            DurationLimits.AUTO,
            directory -> null,
            Runnable::run,
            () -> 0);
    return new EngineFile(engine, kind, volume, ANY_HANDLE, ReadBuffers.take(), 4096, hints);
  }

  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"NCQ", "DIRECT"})
  void aFailureOfTheLibraryIsCountedAndStockReads(Engine kind) {
    EngineFile file = file(kind, new NativeVolume(ANY_HANDLE, new PbsLibrary.Info()), null);
    long before = PriorityMetrics.FAILED.sum();
    assertNull(file.at(0, 4096));
    assertEquals(before + 1, PriorityMetrics.FAILED.sum());
  }

  /** Its drive gives up on all requests with a hint. */
  private static final class ImpatientVolume extends NativeVolume {

    private final List<Integer> priorities = new ArrayList<>();

    ImpatientVolume() {
      super(ANY_HANDLE, new PbsLibrary.Info());
    }

    @Override
    long readDirect(long file, ReadBuffers.Buffer buffer, long length, long offset, int ioprio) {
      priorities.add(ioprio);
      boolean expired = (ioprio >> 3 & 0x3ff) != 0;
      buffer.outcome.putInt(
          PbsLibrary.OUTCOME_WAY, expired ? PbsLibrary.WAY_NOT_READ : PbsLibrary.WAY_DIRECT);
      buffer.outcome.putInt(PbsLibrary.OUTCOME_REASON, expired ? EXPIRED : 0);
      return expired ? -ETIME : length;
    }
  }

  /** For instance of a file that another thread has closed. */
  @Test
  void aStreamThatCannotBeMadeLeavesNoFileOpen() throws IOException {
    List<Long> closed = new ArrayList<>();
    NativeVolume volume =
        new NativeVolume(ANY_HANDLE, new PbsLibrary.Info()) {
          @Override
          void close(long file) {
            closed.add(file);
          }
        };
    try (FileInputStream broken =
        new FileInputStream("/dev/null") {
          @Override
          public FileChannel getChannel() {
            throw new IllegalStateException("test");
          }
        }) {
      EngineFile file = file(Engine.DIRECT, volume, null);
      assertThrows(IllegalStateException.class, () -> EngineInputStream.over(broken, file));
    }
    assertEquals(List.of(ANY_HANDLE), closed);
  }

  /** A choice that has found reads without a limit to be slow. */
  private ReadHints hints(boolean mayRefuse) {
    for (int i = 0; i < LimitChoice.LEAST_READS; i++) {
      choice.answered(LimitChoice.NO_LIMIT, 1_000_000_000L);
    }
    return new ReadHints(choice, read("rt:0@60s", 1_000, System.nanoTime()), mayRefuse);
  }

  private static EngineRead read(String priority, int following, long now) {
    IoPriority granted = IoPriority.parse(priority);
    return new EngineRead(
        new DataNodeEngines(new Configuration(false)),
        granted,
        Hint.of(granted, null).followedBy(following),
        now);
  }

  @Test
  void whatTheDriveGivesUpIsReadAgainWithoutALimit() {
    ImpatientVolume volume = new ImpatientVolume();
    EngineFile file = file(Engine.DIRECT, volume, hints(false));
    assertNotNull(file.at(0, 4096));
    assertEquals(List.of(BE4 | 3 << 3, 0), volume.priorities);
    EngineStatus status = engine.status();
    assertEquals(1, status.getHinted());
    assertEquals(1, status.getExpired());
    assertEquals(1, status.getReads());
    assertEquals(0, status.getFallbacks());
  }

  @Test
  void whatMayBeRefusedIsNotReadAgain() {
    ImpatientVolume volume = new ImpatientVolume();
    EngineFile file = file(Engine.DIRECT, volume, hints(true));
    assertTrue(file.isLate(0));
    assertEquals(List.of(BE4 | 3 << 3), volume.priorities);
    assertNull(file.at(0, 4096), "stock HDFS code would read it");
    EngineStatus status = engine.status();
    assertEquals(1, status.getExpired());
    assertEquals(0, status.getReads());
    assertEquals(0, status.getFallbacks());
  }

  /** For instance when there is no memory for another buffer. */
  @Test
  void anErrorOfTheEngineBeforeTheAnswerFailsNoRead() {
    Hint stated = Hint.of(IoPriority.parse("rt:0@60s"), null).refusable();
    EngineRead read =
        new EngineRead(
            new DataNodeEngines(new Configuration(false)),
            stated.priority(),
            stated,
            System.nanoTime());
    Replica broken =
        (Replica)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Replica.class},
                (proxy, method, args) -> {
                  throw new OutOfMemoryError("Direct buffer memory");
                });
    ReplicaInputStreams stock =
        new ReplicaInputStreams(InputStream.nullInputStream(), null, null, null);
    long failed = PriorityMetrics.FAILED.sum();
    assertSame(stock, EngineReads.answering(read, broken, stock, null, 0, 4096));
    assertEquals(failed + 1, PriorityMetrics.FAILED.sum());
  }

  @Test
  void anErrorOfTheFirstPieceLeavesNoFileOpen() {
    List<Long> closed = new ArrayList<>();
    NativeVolume volume =
        new NativeVolume(ANY_HANDLE, new PbsLibrary.Info()) {
          @Override
          long readDirect(
              long file, ReadBuffers.Buffer buffer, long length, long offset, int ioprio) {
            throw new OutOfMemoryError("test");
          }

          @Override
          void close(long file) {
            closed.add(file);
          }
        };
    EngineFile file = file(Engine.DIRECT, volume, null);
    assertThrows(OutOfMemoryError.class, () -> EngineReads.answering(file, null, null, 0));
    assertEquals(List.of(ANY_HANDLE), closed);
  }

  @Test
  void theFirstPieceIsReadOnce() {
    ImpatientVolume volume = new ImpatientVolume();
    EngineFile file =
        file(
            Engine.DIRECT,
            volume,
            new ReadHints(new LimitChoice(DurationLimits.OFF, 1), read("rt:0@1s", 0, 0), true));
    assertFalse(file.isLate(0));
    assertNotNull(file.at(0, 4096));
    assertEquals(List.of(0), volume.priorities);
    assertEquals(0, engine.status().getHinted());
  }

  @Test
  void theTimeLeftIsSharedWithTheReadsThatFollow() {
    EngineRead read = read("be@40ms", 3, 1_000);
    assertEquals(10_000_000, read.leftNanos(1_000));
    assertTrue(read.leftNanos(50_000_000) < 0);
    assertTrue(read.hasTarget(256 << 10));
    assertFalse(read.hasTarget(1 << 20), "a long read");
    assertFalse(read.isRealtime());
  }
}
