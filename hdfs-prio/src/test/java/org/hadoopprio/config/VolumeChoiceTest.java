// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the tests of the settings that have this form do not show. */
class VolumeChoiceTest {

  private static VolumeChoice<Integer> parse(String text) {
    return VolumeChoice.parse(text, 7, "a number", Integer::valueOf);
  }

  private static String refused(String text) {
    return assertThrows(IllegalArgumentException.class, () -> parse(text)).getMessage();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1                        | 1",
        " 1 , /a = 2 , /b/../c/=3 | 1,/a=2,/c=3",
        "/a=2                     | 7,/a=2",
        "/a=2,1                   | 1,/a=2",
        "/a=b=2                   | 7,/a=b=2",
        "/=2                      | 7,/=2",
      })
  void theTextFormCanBeReadAgain(String text, String form) {
    VolumeChoice<Integer> choice = parse(text);
    assertEquals(form, choice.toString());
    assertEquals(choice, parse(choice.toString()));
    assertEquals(choice.hashCode(), parse(choice.toString()).hashCode());
  }

  @Test
  void theOrderOfEntriesDoesNotMatter() {
    assertEquals(parse("1,/a=2,/b=3"), parse("/b=3,/a=2,1"));
    assertEquals(parse("/a=2"), parse("7,/a=2"));
    assertNotEquals(parse("1"), parse("2"));
    assertNotEquals(parse("1"), parse("1,/a=2"));
    assertNotEquals(parse("/a=2"), parse("/b=2"));
    assertFalse(parse("1").equals((Object) "1"));
  }

  @Test
  void aDirectoryIsItselfAndNothingBelowIt() {
    VolumeChoice<Integer> choice = parse("1,/data/1=2");
    assertEquals(2, choice.of(Path.of("/data/1/")));
    assertEquals(2, choice.of(Path.of("/data/2/../1")));
    assertEquals(1, choice.of(Path.of("/data/1/below")));
    assertEquals(1, choice.of(Path.of("/data")));
    assertEquals(Set.of(Path.of("/data/1")), choice.directories());
  }

  @Test
  void isOnlyLooksAtAllEntries() {
    assertTrue(parse("2").isOnly(2));
    assertTrue(parse("2,/a=2").isOnly(2));
    assertFalse(parse("2,/a=3").isOnly(2));
    assertFalse(parse("/a=2").isOnly(2), "7 elsewhere");
    assertTrue(parse("/a=7").isOnly(7));
  }

  @ParameterizedTest
  @ValueSource(strings = {"one", "1,/a=two", "1,,2", "1,", "=1", "a=1", "/a=", "\u0000=1"})
  void whatIsWrongIsNamedWithWhatIsAllowed(String text) {
    String message = refused(text);
    assertTrue(message.startsWith("entry \""), message);
    assertTrue(
        message.endsWith(
            "allowed: a number for all volumes, and DIRECTORY=VALUE for one, separated by commas"),
        message);
  }

  @Test
  void theEntryThatIsWrongIsTheOneThatIsNamed() {
    assertTrue(refused("1,/a=two,/b=3").startsWith("entry \"/a=two\""));
    assertTrue(refused("1,/a=2, 3").startsWith("entry \"3\": a value for all volumes is already"));
    assertTrue(refused("/a=2,/x/../a=2").contains("the directory is named twice"));
    assertTrue(refused("a/b=2").contains("\"a/b\" is not an absolute path"));
  }

  @Test
  void theParsersReasonIsKept() {
    IllegalArgumentException reason = new IllegalArgumentException("no such thing");
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                VolumeChoice.parse(
                    "x",
                    1,
                    "a thing",
                    text -> {
                      throw reason;
                    }));
    assertSame(reason, thrown.getCause());
    assertTrue(thrown.getMessage().contains("no such thing"), thrown.getMessage());
  }

  @Test
  void valuesMayBeOfAnyType() {
    VolumeChoice<List<String>> choice = VolumeChoice.parse("/a=x", List.of(), "a letter", List::of);
    assertEquals(List.of("x"), choice.of(Path.of("/a")));
    assertEquals(List.of(), choice.of(Path.of("/b")));
  }
}
