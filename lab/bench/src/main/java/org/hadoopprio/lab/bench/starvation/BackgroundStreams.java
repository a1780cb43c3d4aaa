// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import java.util.List;
import java.util.Optional;

/**
 * The streams of sequential reads or writes of a measurement.
 *
 * @param label for people
 * @param expectedRatio how many times the disk time of the second of two groups the first should
 *     get
 */
record BackgroundStreams(String name, String label, List<Group> groups, double expectedRatio) {
  /** The files of the first group, enough for 16 streams. */
  static final String FILES = "/streams/0";

  /** The files of the second group. */
  static final String OTHER_FILES = "/streams/1";

  /** The files that are written. */
  static final String WRITTEN_FILES = "/written";

  private static final int WRITERS = 4;

  /** With fewer, those of the stronger level do not keep the disk busy on a small machine. */
  private static final int STREAMS_OF_A_LEVEL = 4;

  static final BackgroundStreams NONE = new BackgroundStreams("none", "no streams", List.of(), 1);
  static final BackgroundStreams STREAMS16 = alone("streams16", "16 streams", 16);
  static final BackgroundStreams STREAM1 = alone("stream1", "1 stream", 1);

  static final BackgroundStreams WRITERS4 = writers("writers4", "4 writers", null);
  static final BackgroundStreams WRITERS4_BE7 =
      writers("writers4-be7", "4 writers at be:7", "be:7");

  /** be:0 and be:7 have the weights 8 and 1. */
  static final BackgroundStreams BE0_BE7 = levels("be:0", "be:7", 8);

  /** Idle is guaranteed 5 % of the disk's time. */
  static final BackgroundStreams BE4_IDLE = levels("be:4", "idle", 0.95 / 0.05);

  /** Streams that read or write the files of a directory, all with one priority. Immutable. */
  static final class Group {

    private final String directory;
    private final boolean writing;
    private final int streams;
    private final Optional<String> priority;

    private Group(String directory, boolean writing, int streams, String priority) {
      this.directory = directory;
      this.writing = writing;
      this.streams = streams;
      this.priority = Optional.ofNullable(priority);
    }

    boolean isWriting() {
      return writing;
    }

    String directory() {
      return directory;
    }

    int streams() {
      return streams;
    }

    /** Empty for streams that state none. */
    Optional<String> priority() {
      return priority;
    }
  }

  private static BackgroundStreams alone(String name, String label, int streams) {
    return new BackgroundStreams(name, label, List.of(new Group(FILES, false, streams, null)), 1);
  }

  private static BackgroundStreams writers(String name, String label, String priority) {
    Group group = new Group(WRITTEN_FILES, true, WRITERS, priority);
    return new BackgroundStreams(name, label, List.of(group), 1);
  }

  /** Those of part writers. */
  static List<BackgroundStreams> writers() {
    return List.of(WRITERS4, WRITERS4_BE7);
  }

  private static BackgroundStreams levels(String stronger, String weaker, double expectedRatio) {
    return new BackgroundStreams(
        (stronger + "-" + weaker).replace(":", ""),
        stronger + " against " + weaker,
        List.of(
            new Group(FILES, false, STREAMS_OF_A_LEVEL, stronger),
            new Group(OTHER_FILES, false, STREAMS_OF_A_LEVEL, weaker)),
        expectedRatio);
  }

  /** Those that compare priorities. */
  static List<BackgroundStreams> levels() {
    return List.of(BE0_BE7, BE4_IDLE);
  }

  /** The value of the factor. */
  @Override
  public String toString() {
    return name;
  }
}
