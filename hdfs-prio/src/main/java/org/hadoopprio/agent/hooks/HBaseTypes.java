package org.hadoopprio.agent.hooks;

/** The binary names of the HBase types that are hooked; see {@link HadoopTypes}. */
public final class HBaseTypes {

  /** The RPC server of a RegionServer. */
  public static final String RPC_SERVER = "org.apache.hadoop.hbase.ipc.RpcServer";

  /** A scan's scanner over the store files of a column family. */
  public static final String STORE_SCANNER = "org.apache.hadoop.hbase.regionserver.StoreScanner";

  /** Tells a daemon's parts of a new configuration. */
  public static final String CONFIGURATION_MANAGER =
      "org.apache.hadoop.hbase.conf.ConfigurationManager";

  /** Makes the RPC client of a connection. */
  public static final String RPC_CLIENT_FACTORY = "org.apache.hadoop.hbase.ipc.RpcClientFactory";

  private HBaseTypes() {}
}
