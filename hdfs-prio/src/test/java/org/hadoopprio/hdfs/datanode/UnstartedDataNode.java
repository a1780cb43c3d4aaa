package org.hadoopprio.hdfs.datanode;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;

/** A DataNode that is not started, for what asks it only for its configuration and data set. */
public final class UnstartedDataNode {

  private UnstartedDataNode() {}

  /** It has no data set, like a DataNode that has not reached a NameNode. */
  public static DataNode of(Configuration conf) throws ReflectiveOperationException {
    Constructor<DataNode> constructor = DataNode.class.getDeclaredConstructor(Configuration.class);
    constructor.setAccessible(true);
    return constructor.newInstance(conf);
  }

  /** It has that data set. */
  public static DataNode of(Configuration conf, FsDatasetSpi<?> data)
      throws ReflectiveOperationException {
    DataNode made = of(conf);
    Field field = DataNode.class.getDeclaredField("data");
    field.setAccessible(true);
    field.set(made, data);
    return made;
  }
}
