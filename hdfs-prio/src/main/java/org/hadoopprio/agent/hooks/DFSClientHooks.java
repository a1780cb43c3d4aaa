// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static org.hadoopprio.off.AgentModule.HDFS_CLIENT;
import static org.hadoopprio.off.AgentModule.LATE_READS;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hadoopprio.hdfs.client.ClientDefaults;
import org.hadoopprio.hdfs.client.ClientReads;
import org.hadoopprio.hdfs.client.LateReads;

/** The HDFS client. */
public final class DFSClientHooks extends TypeHooks {

  public static final String DFS_CLIENT = "org.apache.hadoop.hdfs.DFSClient";

  public DFSClientHooks() {
    in(DFS_CLIENT);
    // The constructor that all others call; no other has four parameters.
    hook(HDFS_CLIENT, "client-default", isConstructor().and(takesArguments(4)), "Created");
    hook(HDFS_CLIENT, "file-checksum", named("getFileChecksumInternal"), "FileChecksum");
    hook(LATE_READS, "dead-node-of-client", named("addNodeToDeadNodeDetector"), "DeadNode");
  }

  /** Reads the default priority from the configuration with which a client is created. */
  static final class Created {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This DFSClient client, @Advice.Argument(2) Configuration conf) {
      ClientReads.created(client, conf);
    }
  }

  /** The checksum of a file is asked for. Binds the client's default priority. */
  static final class FileChecksum {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static ClientDefaults enter(@Advice.This DFSClient client) {
      return ClientReads.enter(client);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter ClientDefaults entered) {
      ClientReads.leave(entered);
    }
  }

  /** A client is about to tell all its streams of a dead DataNode: not if it was only late. */
  static final class DeadNode {
    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class, suppress = Throwable.class)
    static boolean enter(@Advice.Argument(1) DatanodeInfo node) {
      return LateReads.isOnlyLate(node);
    }
  }
}
