package org.hadoopprio.rpc;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;

/** What the hooks on an RPC server ask and tell, on the server's own threads. No method throws. */
public interface ServerListener {

  /** The calling thread begins to serve a call. */
  void begin();

  /** The calling thread has served its call, or failed to. */
  void end();

  /** The priority of the call the calling thread serves; null where it has none. */
  IoPriority priority();

  /**
   * The server has read its configuration anew.
   *
   * @return what is to be thrown at whoever asked for it; null where all is well
   */
  Throwable reconfigure(Configuration conf);
}
