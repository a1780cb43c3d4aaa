package org.hadoopprio.hdfs.datanode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.conf.ReconfigurationUtil.PropertyChange;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.config.HdfsKeys;
import org.hadoopprio.hdfs.datanode.share.RealtimeShare;

/** What {@code hdfs dfsadmin -reconfig datanode} can change of ours while a DataNode runs. */
public final class DataNodeReconfiguration {

  private DataNodeReconfiguration() {}

  /** The DataNode's own reconfigurable keys and ours. */
  public static List<Object> withOurKeys(Collection<?> keys) {
    List<Object> all = new ArrayList<>(keys);
    all.addAll(RealtimeShare.reconfigurable());
    DataNodePolicy.reconfigurable().stream().map(ConfigKey::name).forEach(all::add);
    return all;
  }

  /**
   * The changes Hadoop has found, and the policy file where its content is new but not its name.
   *
   * @param conf the configuration in force
   * @param newConf the configuration read anew
   */
  public static Collection<PropertyChange> withPolicyFile(
      Configuration conf, Configuration newConf, Collection<PropertyChange> changes) {
    String key = HdfsKeys.DATANODE_POLICY.name();
    String file = newConf.getTrimmed(key);
    if (file == null
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
   * @return the value in force; the exception to be thrown where the new one is not allowed; null
   *     for a key that is not ours
   */
  public static Object change(Configuration conf, String key, String newValue) {
    try {
      if (RealtimeShare.reconfigurable().contains(key)) {
        return RealtimeShare.reconfigure(conf, key, newValue);
      }
      if (DataNodePolicy.isReconfigurable(key)) {
        DataNodePolicy.reconfigure(conf, key, newValue);
        return newValue == null ? "" : newValue;
      }
      return null;
    } catch (IllegalArgumentException e) {
      return new ReconfigurationException(key, newValue, conf.get(key), e);
    }
  }
}
