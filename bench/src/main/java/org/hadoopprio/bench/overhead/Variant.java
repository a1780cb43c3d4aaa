package org.hadoopprio.bench.overhead;

/** What is compared. Each variant has daemons and a client of its own. */
public enum Variant {
  /** Hadoop as published. */
  STOCK("stock", false, false),

  /**
   * The same once more, in other processes: how far two equal ones differ is the method's noise.
   */
  CONTROL("control", false, false),

  /** With the agent in daemons and client, and no priority anywhere. */
  UNHINTED("no-hints", true, false),

  /** With the agent, and a priority on every operation. */
  HINTED("hints", true, true);

  private final String label;
  private final boolean agent;
  private final boolean hinted;

  Variant(String label, boolean agent, boolean hinted) {
    this.label = label;
    this.agent = agent;
    this.hinted = hinted;
  }

  /** Its name in results. */
  public String label() {
    return label;
  }

  /** Whether its daemons and its client run with the agent. */
  boolean agent() {
    return agent;
  }

  /** Whether its client states a priority. */
  boolean hinted() {
    return hinted;
  }
}
