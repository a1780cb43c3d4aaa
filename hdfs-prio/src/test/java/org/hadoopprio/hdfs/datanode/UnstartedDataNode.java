// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;

/** A DataNode that is not started, for what asks it only for its configuration and data set. */
public final class UnstartedDataNode {

  /** The block pool that it serves if it has a data set. */
  public static final String POOL = "BP-1";

  private UnstartedDataNode() {}

  /**
   * What is not told its DataNode takes the one with that configuration for it from now on.
   *
   * @param conf null for none
   */
  public static void isOfProcess(Configuration conf) {
    DataNodeWork.dataNodeStarting(conf == null ? null : DataNodePolicy.of(conf));
  }

  /** It has no data set, like a DataNode that has not reached a NameNode. */
  public static DataNode of(Configuration conf) throws ReflectiveOperationException {
    Constructor<DataNode> constructor = DataNode.class.getDeclaredConstructor(Configuration.class);
    constructor.setAccessible(true);
    return constructor.newInstance(conf);
  }

  /** It has that data set, and serves {@link #POOL}. */
  public static DataNode of(Configuration conf, FsDatasetSpi<?> data)
      throws ReflectiveOperationException {
    DataNode made = of(conf);
    set(DataNode.class, made, "data", data);
    Class<?> type = Class.forName(DataNode.class.getPackageName() + ".BlockPoolManager");
    Constructor<?> constructor = type.getDeclaredConstructor(DataNode.class);
    constructor.setAccessible(true);
    Object pools = constructor.newInstance(made);
    set(type, pools, "bpByBlockPoolId", Map.of(POOL, registered()));
    set(DataNode.class, made, "blockPoolManager", pools);
    return made;
  }

  /** The constructor of a pool's service wants a DataNode that is started. */
  private static Object registered() throws ReflectiveOperationException {
    Class<?> type = Class.forName(DataNode.class.getPackageName() + ".BPOfferService");
    Object service = unmade(type);
    DatanodeID id = new DatanodeID("127.0.0.1", "localhost", "uuid", 1, 1, 1, 1);
    set(
        type,
        service,
        "bpRegistration",
        new DatanodeRegistration(
            id, new StorageInfo(NodeType.DATA_NODE), new ExportedBlockKeys(), "version"));
    return service;
  }

  /** An object of a class, of which no constructor was called. */
  static Object unmade(Class<?> type) throws ReflectiveOperationException {
    // By name, because the compiler warns of it.
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field field = unsafe.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    return unsafe.getMethod("allocateInstance", Class.class).invoke(field.get(null), type);
  }

  private static void set(Class<?> type, Object object, String name, Object value)
      throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    field.set(object, value);
  }
}
