package org.hadoopprio;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
        "rt:\u0663"
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
    assertTrue(message.contains("xxxx") && message.length() < 250, message);
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
    "be:0, idle, idle"
  })
  void isCappedToTheHighestAllowed(String asked, String highest, String granted) {
    assertEquals(
        IoPriority.parse(granted), IoPriority.parse(asked).atMost(IoPriority.parse(highest)));
  }

  @Test
  void hintBitsAndUnknownClassesOfTheKernelValue() {
    assertSame(IoPriority.realtime(3), IoPriority.fromKernelValue(1 << 13 | 5 << 3 | 3));
    assertSame(IoPriority.NONE, IoPriority.fromKernelValue(5 << 13));
  }
}
