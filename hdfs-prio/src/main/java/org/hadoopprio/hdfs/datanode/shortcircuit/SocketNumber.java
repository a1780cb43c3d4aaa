// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import java.lang.reflect.Field;
import org.apache.hadoop.net.unix.DomainSocket;

/** The kernel's number of a {@link DomainSocket}, which Hadoop does not expose. Thread-safe. */
final class SocketNumber {

  private static final Field NUMBER = number();

  private SocketNumber() {}

  private static Field number() {
    try {
      Field field = DomainSocket.class.getDeclaredField("fd");
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /** The number; -1 if it cannot be had. */
  static int of(DomainSocket socket) {
    try {
      return NUMBER == null ? -1 : NUMBER.getInt(socket);
    } catch (IllegalAccessException e) {
      return -1;
    }
  }
}
