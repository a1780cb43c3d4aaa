// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hadoopprio.disktime.ServiceTimes;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.metrics.VolumeStatus;

/** What the agent of a DataNode tells about its volumes: {@link VolumeStatus} in JSON. */
public final class DataNodeVolumes {

  private DataNodeVolumes() {}

  /**
   * The volumes now; an empty array if the process has none.
   *
   * @throws IOException if the process does not answer, or has no agent or an old one, saying what
   *     to do
   */
  public static JsonNode read(DaemonPages pages) throws IOException {
    JsonNode beans;
    try {
      beans = pages.jmx(PriorityMBean.OBJECT_NAME);
    } catch (WebClient.AccessException e) {
      throw new IOException(e.getMessage() + "; " + e.remedy(), e);
    } catch (IOException e) {
      throw new IOException(pages + " does not answer (" + e + "); state a DataNode: --http", e);
    }
    if (beans.isEmpty()) {
      throw new IOException("the process at " + pages + " does not have the agent");
    }
    JsonNode volumes = beans.path(0).path("Volumes");
    if (!volumes.isArray()) {
      throw tooOld(pages, "Volumes");
    }
    return volumes;
  }

  /**
   * The directories of a DataNode, with the agent or without.
   *
   * @throws IOException if the process does not answer
   */
  public static List<Volume> directories(DaemonPages pages) throws IOException {
    List<Volume> volumes = new ArrayList<>();
    JsonNode info = pages.jmx("Hadoop:service=DataNode,name=DataNodeInfo").path(0);
    JsonNode all = new ObjectMapper().readTree(info.path("VolumeInfo").asText("{}"));
    Iterator<String> names = all.fieldNames();
    while (names.hasNext()) {
      String path = names.next();
      boolean ramDisk = "RAM_DISK".equals(all.path(path).path("storageType").asText());
      volumes.add(new Volume(path, ramDisk));
    }
    return volumes;
  }

  public static IOException tooOld(DaemonPages pages, String attribute) {
    return new IOException(
        "the agent at "
            + pages
            + " is too old: it has no attribute "
            + attribute
            + "; restart the DataNode");
  }

  /**
   * What the disk of a volume has needed.
   *
   * @param volume one of the volumes
   */
  public static ServiceTimes serviceTimes(JsonNode volume) {
    JsonNode times = volume.at("/queue/serviceTimes");
    return new ServiceTimes(
        times.path("reads").asLong(),
        times.path("readMicros").asLong(),
        times.path("readDeviationMicros").asLong(),
        times.path("openMicros").asLong(),
        times.path("turns").asLong(),
        times.path("turnMicros").asLong(),
        times.path("turnBytes").asLong());
  }
}
