package org.hadoopprio.bench.engines;

import org.hadoopprio.hdfs.datanode.engine.Engine;

/** What is compared; each has a DataNode with a disk of its own. */
enum Variant {
  /** Hadoop as published. */
  STOCK(null),

  /** The same once more: how far two equal ones differ is the method's noise. */
  CONTROL(null),

  THREAD(Engine.THREAD),
  DIRECT(Engine.DIRECT),

  /** Its drive is a stand-in: see {@link EnginesBed}. */
  NCQ(Engine.NCQ);

  private final Engine engine;

  Variant(Engine engine) {
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
    return "datanode-" + (ordinal() + 1);
  }
}
