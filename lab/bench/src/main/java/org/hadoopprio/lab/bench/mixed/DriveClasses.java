// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/** The counts that a virtual disk keeps per class of request. */
final class DriveClasses {

  private DriveClasses() {}

  /**
   * The counts of one class; a missing node when it had no request.
   *
   * @param parent what has an array {@code classes}
   * @param operation {@code read} or {@code write}
   */
  static JsonNode of(JsonNode parent, String ioClass, String operation) {
    for (JsonNode entry : parent.path("classes")) {
      if (entry.path("class").asText().equals(ioClass)
          && entry.path("operation").asText().equals(operation)) {
        return entry;
      }
    }
    return MissingNode.getInstance();
  }
}
