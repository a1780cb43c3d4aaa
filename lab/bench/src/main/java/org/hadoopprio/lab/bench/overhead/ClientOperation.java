package org.hadoopprio.lab.bench.overhead;

import java.util.Arrays;
import org.hadoopprio.lab.cluster.Role;

/** What a client does over and over while it is measured. */
public enum ClientOperation {
  /** Reads a file from its beginning to its end. */
  READ("read", "sequential read", Role.DATANODE, 40),

  /** Writes a file. */
  WRITE("write", "sequential write", Role.DATANODE, 30),

  /** Reads a small piece at a random position. */
  PREAD("pread", "random pread", Role.DATANODE, 60_000),

  /** Gets a random row. */
  GET("get", "HBase Get", Role.REGIONSERVER, 50_000);

  private static final double MIB = 1 << 20;

  private final String label;
  private final String words;
  private final Role role;
  private final int warmUp;

  ClientOperation(String label, String words, Role role, int warmUp) {
    this.label = label;
    this.words = words;
    this.role = role;
    this.warmUp = warmUp;
  }

  /**
   * The operation of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static ClientOperation of(String label) {
    return Arrays.stream(values())
        .filter(operation -> operation.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no operation \"" + label + "\""));
  }

  /** Its name in results and to the client. */
  public String label() {
    return label;
  }

  /** Its name for people. */
  String words() {
    return words;
  }

  /** The daemons that serve it. */
  Role role() {
    return role;
  }

  /**
   * How many of it new processes do before they are measured. The JIT compiler is done after some
   * ten thousand packets, calls or rows.
   */
  int warmUp() {
    return warmUp;
  }

  /** Whether it moves whole files, so that its rate is told in MiB/s and its CPU time per MiB. */
  boolean streams() {
    return this == READ || this == WRITE;
  }

  /** What is counted: operations, or MiB where whole files are moved. */
  double units(Block block) {
    return streams() ? block.bytes() / MIB : block.operations();
  }

  /** The unit of {@link #units}. */
  String unit() {
    return streams() ? "MiB" : this == GET ? "Get" : "pread";
  }
}
