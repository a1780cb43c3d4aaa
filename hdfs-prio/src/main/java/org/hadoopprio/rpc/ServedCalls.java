package org.hadoopprio.rpc;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;

/** What the hooks on an RPC server call; without a listener every method returns at once. */
public final class ServedCalls {

  private static volatile ServerListener listener;

  private ServedCalls() {}

  /** Installs the process's listener; null removes it. */
  public static void setListener(ServerListener newListener) {
    listener = newListener;
  }

  /** The calling thread begins to serve a call. */
  public static void begin() {
    ServerListener told = listener;
    if (told != null) {
      told.begin();
    }
  }

  /** The calling thread has served its call, however it ended. */
  public static void end() {
    ServerListener told = listener;
    if (told != null) {
      told.end();
    }
  }

  /** A call's description for a log line, with its priority if it has one. */
  public static String describe(String call) {
    ServerListener asked = listener;
    IoPriority priority = asked == null ? null : asked.priority();
    return priority == null ? call : call + " io.priority=" + priority;
  }

  /** The server has read its configuration anew; returns what is to be thrown, or null. */
  public static Throwable reconfigured(Configuration conf) {
    ServerListener told = listener;
    return told == null ? null : told.reconfigure(conf);
  }
}
