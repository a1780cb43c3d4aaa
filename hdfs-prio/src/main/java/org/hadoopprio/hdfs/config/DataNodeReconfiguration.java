// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.conf.ReconfigurationUtil.PropertyChange;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.hdfs.datanode.DataNodePolicy;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerSettings;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;

/**
 * Lets {@code hdfs dfsadmin -reconfig datanode} change our reloadable keys while a DataNode runs.
 * {@link ConfigKey#isReloadable} alone says which keys these are. Thread-safe.
 */
public final class DataNodeReconfiguration {

  private static final List<ConfigKey<?>> KEYS =
      HdfsKeys.all().stream()
          .filter(key -> key.tag() == ConfigKey.Tag.DATANODE && key.isReloadable())
          .collect(Collectors.toUnmodifiableList());

  private DataNodeReconfiguration() {}

  /** None while the module is off. */
  private static List<ConfigKey<?>> ours() {
    return OffSwitch.isOff(AgentModule.RECONFIGURE) ? List.of() : KEYS;
  }

  /** The DataNode's own reconfigurable keys, followed by ours. */
  public static List<Object> withOurKeys(Collection<?> keys) {
    List<Object> all = new ArrayList<>(keys);
    ours().forEach(key -> all.add(key.name()));
    return all;
  }

  /**
   * The changes that Hadoop has found, and the policy file if its content has changed but not its
   * name.
   *
   * @param conf the configuration in force
   * @param newConf the reloaded configuration
   */
  public static Collection<PropertyChange> withPolicyFile(
      Configuration conf, Configuration newConf, Collection<PropertyChange> changes) {
    String key = DataNodeKeys.POLICY_FILE.name();
    String file = newConf.getTrimmed(key);
    if (OffSwitch.isOff(AgentModule.RECONFIGURE)
        || file == null
        || file.isEmpty()
        || changes.stream().anyMatch(c -> c.prop.equals(key))
        || !DataNodePolicy.isFileChanged(conf, file)) {
      return changes;
    }
    List<PropertyChange> all = new ArrayList<>(changes);
    all.add(new PropertyChange(key, file, conf.get(key)));
    return all;
  }

  /**
   * Changes one of our keys.
   *
   * @param newValue null for the default
   * @return the value now in force (String); the exception to throw if the new value is not
   *     allowed; null for a key that is not ours. Object because an advice method can hand only one
   *     value from the start of the hooked method to its end
   */
  public static Object change(Configuration conf, String key, String newValue) {
    for (ConfigKey<?> ours : ours()) {
      if (ours.name().equals(key)) {
        return change(conf, ours, newValue);
      }
    }
    return null;
  }

  private static Object change(Configuration conf, ConfigKey<?> key, String newValue) {
    try {
      return set(conf, key, newValue == null ? key.defaultText() : newValue);
    } catch (IllegalArgumentException e) {
      return new ReconfigurationException(key.name(), newValue, conf.get(key.name()), e);
    }
  }

  private static String set(Configuration conf, ConfigKey<?> key, String value) {
    String scheduler = SchedulerSettings.reconfigure(conf, key, value);
    return scheduler == null ? DataNodePolicy.reconfigure(conf, key, value) : scheduler;
  }
}
