// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.off;

import java.util.Set;

/** Modules that are off until this is closed. */
public final class SwitchedOff implements AutoCloseable {

  private SwitchedOff(Set<AgentModule> modules) {
    OffSwitch.set("test", modules, "a test");
  }

  /** All modules, as by an empty file. */
  public static SwitchedOff all() {
    return new SwitchedOff(AgentModule.ALL);
  }

  /** One module. */
  public static SwitchedOff only(AgentModule module) {
    return new SwitchedOff(Set.of(module));
  }

  @Override
  public void close() {
    OffSwitch.set("test", Set.of(), "");
  }
}
