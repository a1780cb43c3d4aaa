// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes under a seccomp filter of their own; each does its work once and prints what it knows.
 */
class RefusedCallsTest {

  /** 128 and the number of SIGSYS, as a shell has it and Java, too. */
  private static final int ENDED_BY_SIGSYS = 159;

  @TempDir Path directory;

  @BeforeEach
  void linux() {
    Need.THREAD_PRIORITIES.require(Optional.ofNullable(ThreadIoPriority.unavailableReason()));
  }

  /** What a process says that may not make a call. */
  private String run(int status, String work, String call, String answer) throws Exception {
    Path output = directory.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Path log = directory.resolve("log4j.properties");
    Files.writeString(
        log,
        "log4j.rootLogger=INFO, out\n"
            + "log4j.appender.out=org.apache.log4j.ConsoleAppender\n"
            + "log4j.appender.out.layout=org.apache.log4j.SimpleLayout\n");
    command.add("-Dlog4j.configuration=" + log.toUri());
    command.addAll(List.of("--add-opens", "java.base/java.io=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(FilteredMain.class.getName());
    command.addAll(
        List.of(work, call, answer, Files.createTempFile(directory, "f", "").toString()));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertTrue(process.waitFor(2, TimeUnit.MINUTES), "it did not end");
    String said = Files.readString(output);
    assertEquals(status, process.exitValue(), said);
    return said;
  }

  private static List<String> lines(String output, String part) {
    return output.lines().filter(l -> l.contains(part)).collect(Collectors.toList());
  }

  private static void assertSaid(String output, String call, String... parts) {
    List<String> known = lines(output, "refused=");
    assertEquals(1, known.size(), output);
    assertTrue(known.get(0).startsWith("refused=" + call + ": "), output);
    List<String> logged = lines(output, "SystemCallFilter=" + call);
    assertEquals(1, logged.size(), output);
    for (String part : parts) {
      assertTrue(known.get(0).contains(part), part + " in " + output);
      assertTrue(logged.get(0).contains(part), part + " in " + output);
    }
  }

  @Test
  void realtimeThatAFilterRefusesIsNotTheCapabilitys() throws Exception {
    Need.ROOT.require(ProcessRights.ofThread().hasSysNice(), "CAP_SYS_NICE");
    String output = run(0, "rt:0", "ioprio_set", "1");
    assertFalse(output.contains("which this process lacks"), output);
    assertSaid(output, "ioprio_set", "EPERM", "seccomp filter");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "38"})
  void aPriorityThatAFilterRefusesIsSaidOnce(String errno) throws Exception {
    String output = run(0, "be:2", "ioprio_set", errno);
    assertSaid(output, "ioprio_set", "seccomp filter", "no priority");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "38"})
  void thePageCacheThatAFilterHidesIsSaidOnce(String errno) throws Exception {
    needCachestat();
    assertSaid(run(0, "cache", "cachestat", errno), "cachestat", "seccomp filter", "cached");
  }

  /** Nobody can say anything after it. */
  @Test
  void whatAFilterEndsIsAnnounced() throws Exception {
    String output = run(ENDED_BY_SIGSYS, "be:2", "ioprio_set", "kill");
    assertEquals(1, lines(output, "SIGSYS (exit status 159)").size(), output);
    assertTrue(output.contains("ioprio_set"), output);
  }

  @Test
  void soIsThePageCache() throws Exception {
    needCachestat();
    String output = run(ENDED_BY_SIGSYS, "cache", "cachestat", "kill");
    assertEquals(1, lines(output, "SIGSYS (exit status 159)").size(), output);
    assertTrue(output.contains("cachestat"), output);
  }

  @ParameterizedTest
  @ValueSource(strings = {"be:2", "cache"})
  void withoutAFilterNothingIsSaid(String work) throws Exception {
    if (work.equals("cache")) {
      needCachestat();
    }
    Need.THREAD_PRIORITIES.require(!ProcessRights.ofThread().isFiltered(), "without a filter");
    String output = run(0, work, "none", "1");
    assertEquals(List.of(), lines(output, "refused="), output);
    assertFalse(output.contains("SIGSYS"), output);
  }

  private static void needCachestat() throws IOException {
    String release = System.getProperty("os.version");
    Need.CACHESTAT.require(!PageCache.isOlderThanCachestat(release), "Linux 6.5, not " + release);
  }
}
