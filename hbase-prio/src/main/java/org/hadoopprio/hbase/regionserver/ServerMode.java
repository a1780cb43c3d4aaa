// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hbase.config.RegionServerMode;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The key that switches the whole process of a RegionServer on and off. Thread-safe. */
final class ServerMode {

  private static final Logger LOG = LoggerFactory.getLogger(ServerMode.class);

  private static boolean loaded;

  private ServerMode() {}

  /**
   * Applies the key; later calls do nothing, as a region that opens may know an older value.
   *
   * @throws IllegalArgumentException on the first call, naming the key, the value and what is
   *     allowed
   */
  static synchronized void load(Configuration conf) {
    if (!loaded) {
      apply(conf);
      loaded = true;
    }
  }

  private static void apply(Configuration conf) {
    String key = HBaseKeys.MODE.name();
    RegionServerMode mode = HBaseKeys.MODE.get(conf);
    Set<AgentModule> modules = mode == RegionServerMode.OFF ? AgentModule.ALL : Set.of();
    // In this order nothing is stated between two modes that state nothing.
    if (mode == RegionServerMode.OBSERVE) {
      OffSwitch.setObserving(true);
    }
    OffSwitch.set(key, modules, key + " is off");
    if (mode != RegionServerMode.OBSERVE) {
      OffSwitch.setObserving(false);
    }
  }

  /** Applies it again; returns the error for the administrator, or null if there was none. */
  static synchronized DoNotRetryIOException reload(Configuration conf) {
    try {
      apply(conf);
      return null;
    } catch (IllegalArgumentException e) {
      String message = e.getMessage() + "; the previous mode stays in force";
      LOG.error(message);
      return new DoNotRetryIOException(message, e);
    }
  }
}
