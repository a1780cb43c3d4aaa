package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What one variant did in one short time slot of its own. Immutable. */
final class Block {

  private final double operations;
  private final double bytes;
  private final double seconds;
  private final double daemonCpu;
  private final double clientCpu;

  /**
   * A block.
   *
   * @param seconds how long it took
   * @param daemonCpu CPU time of the daemon, in seconds
   * @param clientCpu CPU time of the client, in seconds; 0 where one client serves all variants
   */
  Block(double operations, double bytes, double seconds, double daemonCpu, double clientCpu) {
    this.operations = operations;
    this.bytes = bytes;
    this.seconds = seconds;
    this.daemonCpu = daemonCpu;
    this.clientCpu = clientCpu;
  }

  static Block read(JsonNode json) {
    return new Block(
        json.path("operations").asDouble(),
        json.path("bytes").asDouble(),
        json.path("seconds").asDouble(),
        json.path("daemon_cpu_s").asDouble(),
        json.path("client_cpu_s").asDouble());
  }

  void write(ObjectNode json) {
    json.put("operations", (long) operations);
    json.put("bytes", (long) bytes);
    json.put("seconds", seconds);
    json.put("daemon_cpu_s", daemonCpu);
    json.put("client_cpu_s", clientCpu);
  }

  /** How many operations it did. */
  double operations() {
    return operations;
  }

  /** How many bytes they moved. */
  double bytes() {
    return bytes;
  }

  double seconds() {
    return seconds;
  }

  double daemonCpu() {
    return daemonCpu;
  }

  double clientCpu() {
    return clientCpu;
  }
}
