// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

/** Thrown for a priority field that cannot be decoded; the request is served without one. */
public final class MalformedPriorityException extends Exception {

  MalformedPriorityException(String message) {
    super(message);
  }
}
