// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class IoPriorityTest {

  /** Kernel values by hand from include/uapi/linux/ioprio.h: class << 13 | level. */
  @ParameterizedTest
  @CsvSource({
    "rt, rt:4, 8196",
    "rt:0, rt:0, 8192",
    "rt:7, rt:7, 8199",
    "realtime:3, rt:3, 8195",
    "be, be:4, 16388",
    "be:0, be:0, 16384",
    "best-effort:7, be:7, 16391",
    "idle, idle, 24576",
    "none, none, 0"
  })
  void textAndKernelForm(String text, String canonical, int kernelValue) {
    IoPriority p = IoPriority.parse(text);
    assertEquals(canonical, p.toString());
    assertEquals(kernelValue, p.kernelValue());
    assertSame(p, IoPriority.parse(canonical));
    assertSame(p, IoPriority.parse(p.toBytes()));
    assertSame(p, IoPriority.fromKernelValue(kernelValue));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        " ",
        "turbo",
        "rt:8",
        "rt:9",
        "rt:-1",
        "rt:",
        "rt:03",
        "rt:3 ",
        " rt:3",
        "RT:3",
        "rt:x",
        "be:8",
        "idle:0",
        "idle:4",
        "none:0",
        "rt;3",
        "1",
        "rt:3:1",
        "rt:\u0663",
        "rt:0@",
        "rt:0@0ms",
        "rt:0@-5ms",
        "rt:0@60001ms",
        "rt:0@61s",
        "rt:0@99999s",
        "rt:0@050ms",
        "rt:0@50",
        "rt:0@50 ms",
        "rt:0@50us",
        "rt:0@0.5s",
        "rt:0@1m",
        "rt:0@50ms@50ms",
        "rt:0@\u0665ms",
        "@50ms",
        "idle@50ms",
        "none@50ms"
      })
  void malformedTextIsRefusedNamingWhatIsAllowed(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> IoPriority.parse(text));
    assertTrue(e.getMessage().contains("rt:0 to rt:7"), e.getMessage());
  }

  @Test
  void theMessageShowsTheValueShortAndPrintable() {
    byte[] value = ("x".repeat(500) + "\u0000\n").getBytes(StandardCharsets.ISO_8859_1);
    String message =
        assertThrows(IllegalArgumentException.class, () -> IoPriority.parse(value)).getMessage();
    assertTrue(message.contains("xxxx") && message.length() < 350, message);
    String control =
        assertThrows(IllegalArgumentException.class, () -> IoPriority.parse("rt\n2026 FATAL"))
            .getMessage();
    assertTrue(control.indexOf('\n') < 0, control);
  }

  @Test
  void levelsOutOfRangeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> IoPriority.realtime(8));
    assertThrows(IllegalArgumentException.class, () -> IoPriority.bestEffort(-1));
    assertThrows(IllegalArgumentException.class, () -> IoPriority.of(IoClass.IDLE, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "rt:0, be:0, be:0",
    "rt:5, rt:3, rt:5",
    "rt:2, rt:3, rt:3",
    "be:7, be:0, be:7",
    "idle, be:0, idle",
    "none, be:0, none",
    "rt:0, rt:0, rt:0",
    "be:0, idle, idle",
    // Real-time without a target allows every target.
    "rt:0@50ms, rt:0, rt:0@50ms",
    "rt:0@50ms, rt:3, rt:3@50ms",
    "be:2@50ms, rt:3, be:2@50ms",
    // With one, no shorter one, and real-time only with one.
    "rt:0, rt:0@100ms, rt:0@100ms",
    "rt:0@50ms, rt:0@100ms, rt:0@100ms",
    "rt:0@200ms, rt:0@100ms, rt:0@200ms",
    "be:0@50ms, rt:0@100ms, be:0@100ms",
    "be:0, rt:0@100ms, be:0",
    "idle, rt:0@100ms, idle",
    "none, rt:0@100ms, none",
    // Best-effort with a target asks for more than without.
    "rt:0@50ms, be:0, be:0",
    "be:4@50ms, be:0, be:4",
    "rt:0@50ms, be:0@100ms, be:0@100ms",
    "rt:0, be:0@100ms, be:0@100ms",
    "be:4@200ms, be:0@100ms, be:4@200ms",
    "be:4, be:0@100ms, be:4",
    "be:0@50ms, idle, idle"
  })
  void isCappedToTheHighestAllowed(String asked, String highest, String granted) {
    assertEquals(
        IoPriority.parse(granted), IoPriority.parse(asked).atMost(IoPriority.parse(highest)));
  }

  @ParameterizedTest
  @CsvSource({
    "rt:0@50ms, rt:0@50ms, 8192, 50",
    "rt@1ms, rt:4@1ms, 8196, 1",
    "be@2s, be:4@2000ms, 16388, 2000",
    "best-effort:7@60s, be:7@60000ms, 16391, 60000",
    "realtime:3@60000ms, rt:3@60000ms, 8195, 60000"
  })
  void targets(String text, String canonical, int kernelValue, int target) {
    IoPriority p = IoPriority.parse(text);
    assertEquals(canonical, p.toString());
    assertEquals(p, IoPriority.parse(p.toBytes()));
    assertEquals(p.hashCode(), IoPriority.parse(canonical).hashCode());
    assertEquals(kernelValue, p.kernelValue());
    assertEquals(target, p.targetMillis());
    assertTrue(p.hasTarget());
    assertSame(IoPriority.fromKernelValue(kernelValue), p.withoutTarget());
    assertNotEquals(p, p.withoutTarget());
    assertEquals(0, p.compareTo(p.withoutTarget()));
    assertEquals(p, p.withoutTarget().within(target));
  }

  @Test
  void whatIsUsedIsTakenOffTheTargetDownToOneMillisecond() {
    IoPriority p = IoPriority.parse("rt:0@50ms");
    assertEquals("rt:0@38ms", p.after(12).toString());
    assertEquals("rt:0@1ms", p.after(49).toString());
    assertEquals("rt:0@1ms", p.after(50).toString());
    assertEquals("rt:0@1ms", p.after(Long.MAX_VALUE).toString());
    assertSame(p, p.after(0));
    assertSame(p, p.after(-3), "a clock that was set back");
    assertSame(IoPriority.IDLE, IoPriority.IDLE.after(7));
  }

  @Test
  void targetsOutOfRangeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> IoPriority.realtime(0).within(0));
    assertThrows(IllegalArgumentException.class, () -> IoPriority.realtime(0).within(60_001));
    assertThrows(IllegalArgumentException.class, () -> IoPriority.IDLE.within(50));
    assertThrows(IllegalArgumentException.class, () -> IoPriority.NONE.within(50));
  }

  @Test
  void hintBitsAndUnknownClassesOfTheKernelValue() {
    assertSame(IoPriority.realtime(3), IoPriority.fromKernelValue(1 << 13 | 5 << 3 | 3));
    assertSame(IoPriority.NONE, IoPriority.fromKernelValue(5 << 13));
  }
}
