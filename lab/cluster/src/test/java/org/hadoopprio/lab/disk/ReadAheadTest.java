// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadAheadTest {

  private String before;

  @BeforeEach
  void keepProperty() {
    before = System.getProperty(ReadAhead.PROPERTY);
    System.clearProperty(ReadAhead.PROPERTY);
  }

  @AfterEach
  void restoreProperty() {
    if (before == null) {
      System.clearProperty(ReadAhead.PROPERTY);
    } else {
      System.setProperty(ReadAhead.PROPERTY, before);
    }
  }

  @ParameterizedTest
  @CsvSource({"old, 128", "new, 8192", "0, 0", "1280, 1280", "65536, 65536"})
  void isGivenByNameOrInKib(String text, int kib) {
    assertEquals(kib, ReadAhead.parse(text).kib());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "65537", "128K", "newer", "99999999999"})
  void refusesAnythingElse(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ReadAhead.parse(text)).getMessage();
    assertTrue(message.contains('"' + text + '"'), message);
    assertTrue(message.contains("old (128 KiB), new (8192), or a number of KiB from 0 to 65536"));
  }

  @ParameterizedTest
  @CsvSource({
    "5.4.0-216-generic, 128",
    "6.16.12, 128",
    "6.17.0, 8192",
    "6.17-rc1, 8192",
    "6.100, 8192",
    "7.0.1+deb14, 8192"
  })
  void isThatOfTheKernel(String release, int kib) {
    assertEquals(kib, ReadAhead.ofKernel(release).kib());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "6", "mainline", "v6.17", "6-17", "6.17171"})
  void isNotGuessedForAKernelOfUnknownVersion(String release) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ReadAhead.ofKernel(release))
            .getMessage();
    assertTrue(message.contains('"' + release + '"'), message);
    assertTrue(message.contains("--read-ahead"), message);
  }

  @Test
  void thePropertyIsAheadOfTheKernel() {
    assertEquals(Optional.empty(), ReadAhead.given());
    assertEquals(ReadAhead.ofKernel(System.getProperty("os.version")), ReadAhead.byDefault());
    System.setProperty(ReadAhead.PROPERTY, "1280");
    assertEquals(new ReadAhead(1280), ReadAhead.byDefault());
  }

  @Test
  void aWrongPropertyIsNamed() {
    System.setProperty(ReadAhead.PROPERTY, "much");
    String message =
        assertThrows(IllegalArgumentException.class, ReadAhead::byDefault).getMessage();
    assertTrue(message.startsWith("hprio.readAhead: no read-ahead \"much\""), message);
  }
}
