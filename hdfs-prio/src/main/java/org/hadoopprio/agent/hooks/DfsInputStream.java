package org.hadoopprio.agent.hooks;

/** What the hooks on the HDFS client's stream share. */
final class DfsInputStream {

  static final String TYPE = "org.apache.hadoop.hdfs.DFSInputStream";
  static final String CLIENT_FIELD = "dfsClient";
  static final String CLIENT_TYPE = "org.apache.hadoop.hdfs.DFSClient";

  private DfsInputStream() {}
}
