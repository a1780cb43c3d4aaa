// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import org.hadoopprio.IoClass;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.tools.node.DaemonPages;
import org.hadoopprio.tools.node.WebClient;

/**
 * What the agent of a daemon said before something was done, and after it. The counters are those
 * of all requests, not only of one's own. Immutable.
 */
final class AgentCounters {

  private final JsonNode before;
  private final JsonNode after;

  /**
   * Two answers of {@link #read}.
   *
   * @param before missing if the process did not have the agent
   * @param after the same
   */
  AgentCounters(JsonNode before, JsonNode after) {
    this.before = before;
    this.after = after;
  }

  /**
   * What the agent of a daemon says now; missing if the process does not have it.
   *
   * @throws IOException if the daemon does not answer
   */
  static JsonNode read(DaemonPages pages) throws IOException {
    try {
      return pages.jmx(PriorityMBean.OBJECT_NAME).path(0);
    } catch (WebClient.AccessException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(pages + " does not answer (" + e + ")", e);
    }
  }

  boolean hasAgent() {
    return !after.isMissingNode();
  }

  /** By how much these counters have grown together. */
  long grew(String... names) {
    long sum = 0;
    for (String name : names) {
      sum += after.path(name).asLong() - before.path(name).asLong();
    }
    return sum;
  }

  /** Of the requests that were granted a class. */
  long granted(IoClass ioClass) {
    switch (ioClass) {
      case REALTIME:
        return grew("GrantedRealtime");
      case BEST_EFFORT:
        return grew("GrantedBestEffort");
      default:
        return grew("GrantedIdle");
    }
  }

  /** An attribute's value now. */
  String text(String attribute) {
    return after.path(attribute).asText();
  }

  boolean is(String attribute) {
    return after.path(attribute).asBoolean();
  }

  /** What it says of a volume in a list, such as {@code Volumes}; missing if nothing. */
  JsonNode ofVolume(String list, String volume) {
    return ofVolume(after, list, volume);
  }

  /** By how much a counter of a volume has grown. */
  long grewOfVolume(String list, String volume, String counter) {
    return ofVolume(list, volume).path(counter).asLong()
        - ofVolume(before, list, volume).path(counter).asLong();
  }

  private static JsonNode ofVolume(JsonNode bean, String list, String volume) {
    for (JsonNode each : bean.path(list)) {
      if (each.path("volume").asText().equals(volume)) {
        return each;
      }
    }
    return bean.path("no such volume");
  }

  /** The counters of these that have grown, with by how much, for people; empty if none has. */
  String grown(String... names) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      if (grew(name) > 0) {
        text.append(text.length() == 0 ? "" : ", ")
            .append(String.format(Locale.ROOT, "%s grew by %d", name, grew(name)));
      }
    }
    return text.toString();
  }
}
