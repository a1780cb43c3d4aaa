package org.hadoopprio.lab.bench.starvation;

/** A part of the experiment, which can be measured without the others. */
public enum StarvationPart {
  /** Real-time readers beside streams. */
  READERS,
  /** Streams alone. */
  STREAMS,
  /** Streams of one priority against streams of another. */
  LEVELS
}
