package org.hadoopprio.lab.bench.overhead;

/** The reads that engines are compared in. */
enum ReadKind {
  SMALL_UNCACHED("64k-uncached", 64 << 10, 256 << 10, 1000, false),
  SMALL_CACHED("64k-cached", 64 << 10, 256 << 10, 1000, true),
  LARGE_UNCACHED("1m-uncached", 1 << 20, 5 << 18, 200, false),
  LARGE_CACHED("1m-cached", 1 << 20, 5 << 18, 200, true);

  /** Aligned to no block or page, like HBase's blocks. */
  private static final int FIRST = 1000;

  private final String label;
  private final int bytes;
  private final int stride;
  private final int reads;
  private final boolean cached;

  ReadKind(String label, int bytes, int stride, int reads, boolean cached) {
    this.label = label;
    this.bytes = bytes;
    this.stride = stride;
    this.reads = reads;
    this.cached = cached;
  }

  static ReadKind of(String label) {
    for (ReadKind kind : values()) {
      if (kind.label.equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no such reads: " + label);
  }

  String label() {
    return label;
  }

  /** The size of one read. */
  int bytes() {
    return bytes;
  }

  /** How many reads a block has, each of a different place. */
  int reads() {
    return reads;
  }

  /** Whether the page cache holds all of it before. */
  boolean cached() {
    return cached;
  }

  /** The file position of a place. */
  long position(int place) {
    return FIRST + (long) place * stride;
  }
}
