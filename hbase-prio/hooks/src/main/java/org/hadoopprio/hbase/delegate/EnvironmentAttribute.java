// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.delegate;

import java.util.HashMap;
import java.util.Map;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;

/**
 * The delegate of the hook on the RPC client: the environment's priority as an attribute of HBase
 * connections. It does not depend on HBase classes.
 *
 * <p>The RegionServer uses a connection's attribute for every operation without a priority of its
 * own.
 */
public final class EnvironmentAttribute {

  private EnvironmentAttribute() {}

  /**
   * The attributes with the environment's priority added; the given map if there is nothing to add.
   */
  public static Map<String, byte[]> addTo(Map<String, byte[]> attributes) {
    IoPriority p = CurrentPriority.fromEnvironment();
    if (p == null
        || OffSwitch.isOff(AgentModule.HBASE_CLIENT)
        || (attributes != null && attributes.containsKey(IoPriority.ATTRIBUTE))) {
      return attributes;
    }
    Map<String, byte[]> extended = attributes == null ? new HashMap<>() : new HashMap<>(attributes);
    extended.put(IoPriority.ATTRIBUTE, p.toBytes());
    return extended;
  }
}
