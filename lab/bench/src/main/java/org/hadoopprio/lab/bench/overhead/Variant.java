package org.hadoopprio.lab.bench.overhead;

import java.util.List;
import org.hadoopprio.hdfs.datanode.engine.Engine;

/** What is compared. Each variant has daemons of its own, but for the modes of the scheduler. */
enum Variant {
  /** Hadoop as published. */
  STOCK("stock", "stock", false, false, null),

  /**
   * The same once more, in other processes: how far two equal ones differ is the method's noise.
   */
  CONTROL("control", "stock again", false, false, null),

  /** With the agent in daemons and client, and no priority anywhere. */
  UNHINTED("no-hints", "no hints", true, false, null),

  /** With the agent, and a priority on every operation. */
  HINTED("hints", "hints", true, true, null),

  /** With the agent in the DataNode, whose rules give every read a priority. */
  THREAD(Engine.THREAD),
  DIRECT(Engine.DIRECT),

  /** Its drive is a stand-in: see {@link EnginesBed}. */
  NCQ(Engine.NCQ),

  /** The DataNode's scheduler of disk time is off, which is stock but for the woven hooks. */
  OFF("off", "off", true, false, null),

  /** The same once more, in other blocks of the same process. */
  OFF_AGAIN("off-again", "off again", true, false, null),

  /** The DataNode's scheduler of disk time works. */
  TURNS("turns", "turns", true, false, null);

  /** Those whose clients differ. */
  static final List<Variant> FOR_HINTS = List.of(STOCK, CONTROL, UNHINTED, HINTED);

  /** Those whose tasks start. */
  static final List<Variant> FOR_TASKS = List.of(STOCK, CONTROL, UNHINTED);

  /** Those whose DataNodes read in different ways. */
  static final List<Variant> FOR_ENGINES = List.of(STOCK, CONTROL, THREAD, DIRECT, NCQ);

  /** The modes of one DataNode's scheduler, which is changed while it runs. */
  static final List<Variant> FOR_SCHEDULER = List.of(OFF, OFF_AGAIN, TURNS);

  /** What the others are compared with: the mean of both. */
  static final List<Variant> STOCKS = List.of(STOCK, CONTROL);

  /** The same for the modes of the scheduler. */
  static final List<Variant> OFFS = List.of(OFF, OFF_AGAIN);

  private final String label;
  private final String words;
  private final boolean agent;
  private final boolean hinted;
  private final Engine engine;

  Variant(String label, String words, boolean agent, boolean hinted, Engine engine) {
    this.label = label;
    this.words = words;
    this.agent = agent;
    this.hinted = hinted;
    this.engine = engine;
  }

  Variant(Engine engine) {
    this(engine.toString(), engine.toString(), true, false, engine);
  }

  /** Its name in results. */
  String label() {
    return label;
  }

  /** Its name for people. */
  String words() {
    return words;
  }

  /** Whether its daemons run with the agent. */
  boolean agent() {
    return agent;
  }

  /** Whether its client states a priority. */
  boolean hinted() {
    return hinted;
  }

  /** The engine of its DataNode; null for the default. */
  Engine engine() {
    return engine;
  }
}
