package org.hadoopprio.hdfs.datanode;

import java.lang.reflect.Constructor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** A DataNode that is not started, for what asks it only for its configuration and data set. */
public final class UnstartedDataNode {

  private UnstartedDataNode() {}

  /** It has no data set, like a DataNode that has not reached a NameNode. */
  public static DataNode of(Configuration conf) throws ReflectiveOperationException {
    Constructor<DataNode> constructor = DataNode.class.getDeclaredConstructor(Configuration.class);
    constructor.setAccessible(true);
    return constructor.newInstance(conf);
  }
}
