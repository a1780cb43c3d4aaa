package org.hadoopprio.hdfs.client;

import java.util.HashMap;
import java.util.Map;
import org.hadoopprio.IoPriority;

/**
 * The environment's priority as an attribute of HBase connections; needs no HBase class.
 *
 * <p>The RegionServer takes a connection's attribute for every operation that states nothing
 * stronger.
 */
public final class EnvironmentAttribute {

  /** The name of the attribute, the same on operations, requests and connections. */
  public static final String NAME = "io.priority";

  private EnvironmentAttribute() {}

  /** The attributes with the environment's priority; the given map where there is none to add. */
  public static Map<String, byte[]> addTo(Map<String, byte[]> attributes) {
    IoPriority p = CurrentPriority.fromEnvironment();
    if (p == null || (attributes != null && attributes.containsKey(NAME))) {
      return attributes;
    }
    Map<String, byte[]> extended = attributes == null ? new HashMap<>() : new HashMap<>(attributes);
    extended.put(NAME, p.toBytes());
    return extended;
  }
}
