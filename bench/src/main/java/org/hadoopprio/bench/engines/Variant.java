package org.hadoopprio.bench.engines;

import org.hadoopprio.hdfs.datanode.engine.Engine;

/** What is compared; each has a DataNode with a disk of its own. */
enum Variant {
  /** Hadoop as published. */
  STOCK(1, null),

  /** The same once more: how far two equal ones differ is the method's noise. */
  CONTROL(2, null),

  THREAD(3, Engine.THREAD),
  DIRECT(4, Engine.DIRECT),

  /** Its drive is a stand-in: see {@link EnginesBed}. */
  NCQ(5, Engine.NCQ);

  private final int number;
  private final Engine engine;

  Variant(int number, Engine engine) {
    this.number = number;
    this.engine = engine;
  }

  /** The engine of the DataNode; null for one without the agent. */
  Engine engine() {
    return engine;
  }

  boolean isStock() {
    return engine == null;
  }

  String label() {
    return isStock() ? (this == STOCK ? "stock" : "stock-again") : engine.toString();
  }

  /** The name of its DataNode. */
  String daemon() {
    return "datanode-" + number;
  }

  /** The number of its DataNode and disk, from 1. */
  int number() {
    return number;
  }
}
