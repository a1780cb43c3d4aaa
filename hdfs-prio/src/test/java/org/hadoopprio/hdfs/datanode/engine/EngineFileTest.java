package org.hadoopprio.hdfs.datanode.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;

/** Tests when the library is called; it is not loaded, so each call of it fails and is counted. */
class EngineFileTest {

  private static final long ANY_HANDLE = 1;

  private final AtomicBoolean demoted = new AtomicBoolean(true);

  private EngineFile file(Engine kind) {
    VolumeEngine engine =
        new VolumeEngine(Path.of("/data/1"), kind, directory -> null, Runnable::run, () -> 0);
    NativeVolume volume = new NativeVolume(ANY_HANDLE, new PbsLibrary.Info());
    return new EngineFile(engine, kind, volume, ANY_HANDLE, ReadBuffers.take(), 4096, demoted::get);
  }

  private long callsOfTheLibrary(EngineFile file) {
    long before = PriorityMetrics.FAILED.sum();
    assertNull(file.at(0, 4096));
    return PriorityMetrics.FAILED.sum() - before;
  }

  @Test
  void aDemotedPartIsNotSentPastTheScheduler() {
    EngineFile file = file(Engine.NCQ);
    assertEquals(0, callsOfTheLibrary(file));
    demoted.set(false);
    assertEquals(1, callsOfTheLibrary(file), "the next part is not demoted");
  }

  @Test
  void directReadsHaveTheLowerPriorityThemselves() {
    assertEquals(1, callsOfTheLibrary(file(Engine.DIRECT)));
  }
}
