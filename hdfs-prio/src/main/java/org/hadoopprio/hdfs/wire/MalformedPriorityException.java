package org.hadoopprio.hdfs.wire;

/** A priority arrived that cannot be read; the request it came with is served without one. */
public final class MalformedPriorityException extends Exception {

  MalformedPriorityException(String message) {
    super(message);
  }
}
