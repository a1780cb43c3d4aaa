// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.config.VolumeChoice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitSelectionTest {

  private static final int INACTIVE = 0;
  private static final int ACTIVE = 1;
  private static final int GUIDELINE = 2;

  private final PbsLibrary.Info info = new PbsLibrary.Info();
  private final PbsLibrary.Limits drive = new PbsLibrary.Limits();
  private boolean asked;

  /** A drive whose limits are on. */
  LimitSelectionTest() {
    info.ncqPrioEnabled = 0;
    info.cdlSupported = 1;
    info.cdlEnabled = 1;
    info.hints = 1;
  }

  private void limit(int index, int time, long nanos, int policy) {
    int at = (index - 1) * PbsLibrary.DURATION_TIMES + time;
    drive.ns[at] = nanos;
    drive.policy[at] = policy;
  }

  private LimitSelection select(DurationLimits wanted) {
    return LimitSelection.of(
        wanted,
        Engine.DIRECT,
        info,
        () -> {
          asked = true;
          return drive;
        });
  }

  private void none(DurationLimits wanted, String reason, boolean expected) {
    LimitSelection selection = select(wanted);
    assertTrue(selection.limits().isEmpty(), selection.reason());
    assertTrue(selection.reason().contains(reason), selection.reason());
    assertEquals(expected, selection.isExpected(), selection.reason());
  }

  @Test
  void autoIsWhatTheDriveSays() {
    limit(1, GUIDELINE, 20_000_000, 0);
    limit(3, INACTIVE, 80_000_000, 0xd);
    limit(3, ACTIVE, 60_000_000, 0);
    LimitSelection selection = select(DurationLimits.AUTO);
    assertEquals("1:20ms 3:60ms", selection.limits().toString());
    assertEquals("1:20ms 3:60ms, as the drive says", selection.reason());
    assertTrue(selection.isExpected());
  }

  @Test
  void descriptorsThatMakeNoSenseAreLeftOut() {
    limit(1, GUIDELINE, 20_000_000, 0);
    limit(2, ACTIVE, 10_000_000, 0xf);
    limit(4, INACTIVE, 10_000_000, -1);
    limit(5, GUIDELINE, 10_000_000, 5);
    byte[] odd = "guideline has the reserved policy 5h".getBytes(StandardCharsets.UTF_8);
    System.arraycopy(odd, 0, drive.odd, 4 * 48, odd.length);
    limit(6, GUIDELINE, -1, 0);
    LimitSelection selection = select(DurationLimits.AUTO);
    assertEquals("1:20ms", selection.limits().toString());
    String reason = selection.reason();
    assertTrue(reason.contains("descriptor 2 is not used, its policy aborts"), reason);
    assertTrue(reason.contains("descriptor 4 is not used, the kernel does not tell"), reason);
    assertTrue(reason.contains("descriptor 5 is not used, guideline has the reserved"), reason);
    assertTrue(reason.contains("18446744073709551615 ns is not plausible"), reason);
    assertFalse(selection.isExpected(), "a warning");
  }

  @Test
  void aSataDriveThatGivesUpIsLeftAlone() {
    drive.ata = 1;
    limit(1, GUIDELINE, 20_000_000, 0);
    limit(2, INACTIVE, 80_000_000, 0xd);
    limit(3, GUIDELINE, 80_000_000, 0xd);
    limit(4, ACTIVE, 0, 0xd);
    limit(4, GUIDELINE, 40_000_000, 2);
    LimitSelection selection = select(DurationLimits.AUTO);
    assertEquals("1:20ms 4:40ms", selection.limits().toString());
    String reason = selection.reason();
    assertTrue(reason.contains("descriptor 2 is not used, with its policy a SATA drive"), reason);
    assertTrue(reason.contains("descriptor 3 is not used, with its policy a SATA drive"), reason);
    assertFalse(selection.isExpected(), "a warning");
  }

  @Test
  void withoutAUsableLimitThereAreNone() {
    limit(2, ACTIVE, 10_000_000, 0xf);
    none(DurationLimits.AUTO, "no limit that can be used; descriptor 2", false);
  }

  @Test
  void aDriveThatCannotBeAskedNamesTheKey() {
    LimitSelection selection =
        LimitSelection.of(
            DurationLimits.AUTO,
            Engine.DIRECT,
            info,
            () -> {
              throw new IOException("/dev/sda: Permission denied");
            });
    assertTrue(selection.limits().isEmpty());
    assertTrue(selection.reason().startsWith("none: /dev/sda: Permission"), selection.reason());
    assertTrue(selection.reason().contains(EngineKeys.DURATION_LIMITS.name()));
    assertFalse(selection.isExpected());
  }

  @Test
  void ncqPriorityExcludesThem() {
    info.ncqPrioEnabled = 1;
    info.cdlEnabled = 0;
    none(DurationLimits.AUTO, "ncq_prio_enable", true);
    none(DurationLimits.parse("1:20ms"), "ncq_prio_enable", false);
    assertFalse(asked);
  }

  @Test
  void whatIsOffIsNotUsed() {
    info.cdlEnabled = 0;
    none(DurationLimits.AUTO, "cdl_enable", true);
    none(DurationLimits.parse("1:20ms"), "cdl_enable", false);
    info.cdlEnabled = -1;
    none(DurationLimits.AUTO, "has found no", true);
    none(DurationLimits.OFF, "switched off", true);
    assertFalse(asked);
  }

  @Test
  void statedOnesNeedNoAnswerOfTheDrive() {
    info.cdlEnabled = -1;
    info.cdlSupported = -1;
    info.ncqPrioEnabled = -1;
    LimitSelection selection = select(DurationLimits.parse("1:20ms 7:1s"));
    assertEquals("1:20ms 7:1000ms, as configured", selection.reason());
    assertFalse(asked);
    info.hints = 0;
    none(DurationLimits.parse("1:20ms"), "needs Linux 6.5", false);
  }

  @Test
  void otherEnginesHaveNone() {
    LimitSelection selection =
        LimitSelection.of(DurationLimits.AUTO, Engine.NCQ, info, () -> drive);
    assertTrue(selection.limits().isEmpty());
    assertTrue(selection.reason().contains("only engine direct"));
  }

  @Test
  void eachVolumeMayHaveItsOwn() {
    VolumeChoice<DurationLimits> choice =
        EngineKeys.DURATION_LIMITS.parse("off, /data/1=1:20ms  2:1500us, /data/2=auto");
    assertEquals(DurationLimits.OFF, choice.of(Path.of("/data/3")));
    assertEquals(DurationLimits.AUTO, choice.of(Path.of("/data/2")));
    assertEquals("1:20ms 2:1500us", choice.of(Path.of("/data/1")).toString());
    assertEquals(1_500_000, choice.of(Path.of("/data/1")).nanos(2));
    assertEquals(
        DurationLimits.AUTO,
        EngineKeys.DURATION_LIMITS.get(new Configuration(false)).of(Path.of("/data/1")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "8:20ms",
        "0:20ms",
        "1:20",
        "1:0ms",
        "1:61s",
        "1:20ms 1:30ms",
        "on",
        "/data/1=1:x"
      })
  void whatIsWrongIsNamed(String text) {
    Configuration conf = new Configuration(false);
    conf.set(EngineKeys.DURATION_LIMITS.name(), text);
    String message =
        assertThrows(IllegalArgumentException.class, () -> EngineKeys.DURATION_LIMITS.get(conf))
            .getMessage();
    assertTrue(message.contains(EngineKeys.DURATION_LIMITS.name() + " = \"" + text), message);
    assertTrue(message.contains("allowed: auto, off, or limits"), message);
  }
}
