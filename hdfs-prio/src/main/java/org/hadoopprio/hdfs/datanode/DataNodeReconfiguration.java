package org.hadoopprio.hdfs.datanode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.hadoopprio.hdfs.datanode.share.RealtimeShare;

/** What {@code hdfs dfsadmin -reconfig datanode} can change of ours while a DataNode runs. */
public final class DataNodeReconfiguration {

  private DataNodeReconfiguration() {}

  /** The DataNode's own reconfigurable keys and ours. */
  public static List<Object> withOurKeys(Collection<?> keys) {
    List<Object> all = new ArrayList<>(keys);
    all.addAll(RealtimeShare.reconfigurable());
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
    if (!RealtimeShare.reconfigurable().contains(key)) {
      return null;
    }
    try {
      return RealtimeShare.reconfigure(conf, key, newValue);
    } catch (IllegalArgumentException e) {
      return new ReconfigurationException(key, newValue, conf.get(key), e);
    }
  }
}
