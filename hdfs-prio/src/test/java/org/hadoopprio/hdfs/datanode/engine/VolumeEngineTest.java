// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a volume that cannot be opened; EnginesIT tests volumes that can, with the library. */
class VolumeEngineTest {

  private final Queue<Runnable> background = new ArrayDeque<>();
  private long nowMillis = 1_000;
  private int opened;
  private String problem = "no library";

  private VolumeEngine engine(Engine wanted) {
    return engine(wanted, background::add);
  }

  private VolumeEngine engine(Engine wanted, Executor executor) {
    return new VolumeEngine(
        Path.of("/data/1"),
        wanted,
        DurationLimits.AUTO,
        directory -> {
          opened++;
          throw new IOException(problem);
        },
        executor,
        () -> nowMillis);
  }

  private void runBackground() {
    while (!background.isEmpty()) {
      background.remove().run();
    }
  }

  @Test
  void threadNeedsNothing() {
    VolumeEngine engine = engine(Engine.THREAD);
    assertNull(engine.open(3, 100));
    assertTrue(background.isEmpty());
    assertEquals(0, engine.status().getFallbacks());
  }

  @Test
  void aReadDoesNotWaitForTheVolumeToBeOpened() {
    VolumeEngine engine = engine(Engine.NCQ);
    assertNull(engine.open(3, 100));
    assertNull(engine.open(3, 100));
    assertEquals(1, background.size(), "opened once");
    assertEquals(0, opened);
    assertEquals("not opened yet", engine.status().getReason());
  }

  @Test
  void aRefusalIsToldAndTriedAgainAfterAWhile() {
    VolumeEngine engine = engine(Engine.NCQ);
    engine.openIfDue();
    runBackground();
    assertEquals("no library", engine.status().getReason());
    assertEquals("thread", engine.status().getEngine());
    assertEquals("ncq", engine.status().getWanted());

    nowMillis += VolumeEngine.FIRST_RETRY_MILLIS - 1;
    assertNull(engine.open(3, 100));
    assertTrue(background.isEmpty(), "too early");
    nowMillis += 1;
    problem = "no helper";
    assertNull(engine.open(3, 100));
    runBackground();
    assertEquals(2, opened);
    assertEquals("no helper", engine.status().getReason());
    assertEquals(2, engine.status().getFallbacks());
  }

  @Test
  void theTimeBetweenTwoTriesGrowsToItsLimit() {
    VolumeEngine engine = engine(Engine.DIRECT);
    for (int i = 0; i < 10; i++) {
      engine.openIfDue();
      runBackground();
      nowMillis += VolumeEngine.LAST_RETRY_MILLIS;
    }
    assertEquals(10, opened);
  }

  @Test
  void anErrorOfTheLoaderIsARefusalToo() {
    VolumeEngine engine =
        new VolumeEngine(
            Path.of("/data/1"),
            Engine.DIRECT,
            DurationLimits.AUTO,
            directory -> {
              throw new UnsatisfiedLinkError("pbs_volume_open");
            },
            Runnable::run,
            () -> nowMillis);
    engine.openIfDue();
    assertEquals("pbs_volume_open", engine.status().getReason());
  }

  @Test
  void aVolumeIsOpenedLaterIfNoThreadCouldBeHad() {
    Queue<Error> failures = new ArrayDeque<>(List.of(new InternalError("no thread")));
    VolumeEngine engine =
        engine(
            Engine.DIRECT,
            task -> {
              if (!failures.isEmpty()) {
                throw failures.remove();
              }
              task.run();
            });
    assertThrows(InternalError.class, engine::openIfDue);
    assertEquals(0, opened);
    engine.openIfDue();
    assertEquals(1, opened);
    assertEquals("no library", engine.status().getReason());
  }

  @Test
  @Timeout(30)
  void aVolumeThatHangsHoldsUpNoOther() throws InterruptedException {
    Executor background = DataNodeEngines.background();
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch opens = new CountDownLatch(1);
    background.execute(() -> awaitUninterruptibly(hangs));
    background.execute(opens::countDown);
    opens.await();
    hangs.countDown();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsOfOneFileSaysNothingOfTheVolume() {
    assertTrue(FallbackReason.isOfOneFile(11), "unwritten");
    assertTrue(FallbackReason.isOfOneFile(13), "changed");
    assertTrue(FallbackReason.isOfOneFile(21), "dirty");
    assertFalse(FallbackReason.isOfOneFile(18), "helper");
    assertTrue(FallbackReason.isSlow(14), "timeout");
    assertFalse(FallbackReason.isSlow(15), "rights");
  }
}
