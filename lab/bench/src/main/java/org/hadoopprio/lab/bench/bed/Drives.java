// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.bed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;

/** The virtual disks of a cluster, handled together. Not thread-safe. */
public final class Drives {

  /** What of a drive's figures tells whether they can be trusted. */
  private static final List<String> GATE =
      List.of("priorities", "queue_max", "late_arrival_ms", "lateness_ms");

  /** How late answers may be, as a part of a client's latency. */
  private static final double MAX_LATENESS = 0.01;

  private final LocalCluster cluster;

  /** The disks of a cluster, all of which are virtual. */
  public Drives(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /** Does work while the drives answer without delay. Nothing is in the page cache afterwards. */
  public void fast(VirtualDisk.Work work) throws IOException {
    VirtualDisk.fast(cluster.disks(), work);
  }

  private static Vhdd vhdd(Disk disk) {
    return ((VirtualDisk) disk).vhdd();
  }

  /** Sets the counters of all of them to 0. */
  public void resetStats() throws IOException {
    for (Disk disk : cluster.disks()) {
      vhdd(disk).resetStats();
    }
  }

  /**
   * Adds {@code drives}, the figures of each, and {@code gate}, which holds if that of each does.
   */
  public void addTo(ObjectNode result) throws IOException {
    ArrayNode drives = result.putArray("drives");
    ObjectNode gate = result.putObject("gate");
    boolean valid = true;
    ArrayNode reasons = gate.putArray("reasons");
    for (Disk disk : cluster.disks()) {
      JsonNode stats = vhdd(disk).stats();
      String name = disk.directory().getFileName().toString();
      drives.add(stats);
      valid &= stats.path("valid").asBoolean();
      stats.path("reasons").forEach(reason -> reasons.add(name + ": " + reason.asText()));
      ObjectNode own = gate.putObject(name);
      GATE.forEach(field -> own.set(field, stats.path(field)));
    }
    gate.put("valid", valid);
  }

  /**
   * Lets the gate hold all the same if answers were late by so little that a client cannot notice:
   * the drive's own limits are for latencies of some milliseconds, and the copying of large writes
   * takes one or two.
   *
   * @param clientMs the 99th percentile of a client's latency, in milliseconds
   */
  public static void allowLatenessToClient(ObjectNode result, double clientMs) {
    for (JsonNode drive : result.path("drives")) {
      boolean isSmall = drive.at("/lateness_ms/p99.9").asDouble() <= MAX_LATENESS * clientMs;
      for (JsonNode reason : drive.path("reasons")) {
        if (!reason.asText().startsWith("lateness ") || !isSmall) {
          return;
        }
      }
    }
    ((ObjectNode) result.path("gate")).put("valid", true);
  }
}
