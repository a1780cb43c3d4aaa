// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

/** What reads beside the Gets. */
public enum Background {
  /** Nothing. */
  NONE(0, "no background"),
  /** Sequential readers of HDFS files, each of its own. */
  STREAMS16(16, "16 streams"),
  /** Hadoop's example job over text files. */
  WORDCOUNT(0, "wordcount"),
  /** HBase's job over another table. */
  ROWCOUNTER(0, "RowCounter");

  private final int streams;
  private final String label;

  Background(int streams, String label) {
    this.streams = streams;
    this.label = label;
  }

  /** How many streams; 0 for what is none. */
  int streams() {
    return streams;
  }

  /** Whether it is a job on YARN. */
  boolean isJob() {
    return this == WORDCOUNT || this == ROWCOUNTER;
  }

  /** For people. */
  String label() {
    return label;
  }
}
