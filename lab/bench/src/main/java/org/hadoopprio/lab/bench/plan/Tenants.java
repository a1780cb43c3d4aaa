// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.client.ClientKeys;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;

/**
 * The tenants of a system, all with the same weight: a policy of DataNode and RegionServer. The
 * DataNode believes each client which says whose its requests are; in HBase, what is done with a
 * table counts for the tenant of the table's name, if there is one.
 */
final class Tenants {

  /** The parameter of a load that says which one it is. */
  static final String PARAMETER = "tenant";

  /** What a name may be: of what a policy allows, that which needs no quotes in a plan. */
  static final String NAME = "[a-z0-9][a-z0-9-]{0,39}";

  static final String ALLOWED = "1 to 40 of a-z, 0-9 and -, and no - first";

  private static final Map<Role, String> POLICY_KEYS =
      Map.of(
          Role.DATANODE, DataNodeKeys.POLICY_FILE.name(),
          Role.REGIONSERVER, HBaseKeys.POLICY.name());

  private Tenants() {}

  /** See {@link LoadKind#check}. */
  static void check(Map<String, String> parameters) {
    String name = parameters.get(PARAMETER);
    if (name != null && !name.matches(NAME)) {
      throw new BadParameter(
          PARAMETER, "\"" + name + "\" for " + PARAMETER + "; allowed: " + ALLOWED);
    }
  }

  /** The configuration of a client with these parameters; empty if they name no tenant. */
  static Map<String, String> ofClient(Map<String, String> parameters) {
    return parameters.containsKey(PARAMETER)
        ? Map.of(ClientKeys.TENANT.name(), parameters.get(PARAMETER))
        : Map.of();
  }

  /** The keys that a system with tenants sets of a daemon, beside those that a plan states. */
  static List<String> keys(Plan.TriedSystem system, Role daemon) {
    return system.tenants().isEmpty() ? List.of() : List.of(POLICY_KEYS.get(daemon));
  }

  /**
   * A system with the policy in its keys.
   *
   * @param directory for the policy's file
   */
  static Plan.TriedSystem withPolicy(Plan.TriedSystem system, Path directory) throws IOException {
    if (system.tenants().isEmpty()) {
      return system;
    }
    Path file = directory.resolve("policy-" + String.join("-", system.tenants()) + ".xml");
    Files.writeString(file, policy(system.tenants()));
    return system.with(
        withPolicy(system, Role.DATANODE, file), withPolicy(system, Role.REGIONSERVER, file));
  }

  private static Map<String, String> withPolicy(Plan.TriedSystem system, Role daemon, Path file) {
    Map<String, String> all = new LinkedHashMap<>(system.keys(daemon));
    all.put(POLICY_KEYS.get(daemon), file.toString());
    return all;
  }

  static String policy(List<String> tenants) {
    StringBuilder xml = new StringBuilder("<io-priority-policy>\n");
    tenants.forEach(name -> xml.append("  <tenant name=\"").append(name).append("\"/>\n"));
    for (String name : tenants) {
      xml.append(
          String.format(
              "  <rule server=\"regionserver\" user=\"*\" table=\"%s\" highest=\"rt:0\""
                  + " tenant=\"%s\"/>\n",
              name, name));
    }
    return xml.append("  <rule user=\"*\" highest=\"rt:0\" on-behalf-of=\"*\"/>\n")
        .append("</io-priority-policy>\n")
        .toString();
  }

  /**
   * Checks that the policy of a system is that of its daemons, which start with none that they
   * cannot read.
   */
  static void requireInForce(Plan.TriedSystem system, LocalCluster cluster) throws IOException {
    for (Role role : POLICY_KEYS.keySet()) {
      for (String key : keys(system, role)) {
        requireInForce(system.keys(role).get(key), cluster.daemons(role), cluster);
      }
    }
  }

  private static void requireInForce(String file, List<Daemon> daemons, LocalCluster cluster)
      throws IOException {
    for (Daemon daemon : daemons) {
      JsonNode policies = cluster.jmx(daemon, PriorityMBean.OBJECT_NAME).path(0).path("Policies");
      if (!isInForce(file, policies)) {
        throw new IOException(
            daemon.name() + " does not use " + file + ", of which its log says why: " + policies);
      }
    }
  }

  private static boolean isInForce(String file, JsonNode policies) {
    for (JsonNode policy : policies) {
      if (policy.path("file").asText().equals(file) && policy.path("usable").asBoolean()) {
        return true;
      }
    }
    return false;
  }
}
