package org.hadoopprio.hdfs.wire;

import java.io.IOException;

/** Thrown for a message that cannot be decoded; the connection must be closed. */
public final class MalformedMessageException extends IOException {

  private static final long serialVersionUID = 1;

  MalformedMessageException(String message) {
    super(message);
  }
}
