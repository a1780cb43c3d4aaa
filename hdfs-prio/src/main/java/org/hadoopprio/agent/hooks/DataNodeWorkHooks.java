// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isBridge;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.WORK;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.IoRole;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.DataNodeWork;

/** What a DataNode does of its own accord, on threads of its own: the beginning and the end. */
public final class DataNodeWorkHooks extends TypeHooks {

  private static final String DATANODE = "org.apache.hadoop.hdfs.server.datanode.";

  public DataNodeWorkHooks() {
    in(DATANODE + "VolumeScanner");
    hook(WORK, "scan-block", named("scanBlock"), "ScanBlock");
    in(DATANODE + "DirectoryScanner$ReportCompiler");
    hook(
        WORK,
        "list-directories",
        named("call").and(takesNoArguments()).and(not(isBridge())),
        "ListDirectories");
    in(DATANODE + "fsdataset.impl.FsDatasetCache$CachingTask");
    hook(WORK, "cache-block", named("run").and(takesNoArguments()), "CacheBlock");
    in(DATANODE + "erasurecode.StripedBlockReconstructor");
    hook(WORK, "reconstruct", named("run").and(takesNoArguments()), "Reconstruct");
  }

  /** The block scanner reads a replica. */
  static final class ScanBlock {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue("datanode") DataNode dataNode, @Advice.Argument(0) ExtendedBlock block) {
      DataNodeReads.workBegins(IoRole.BLOCK_SCANNER, dataNode, block);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      DataNodeReads.finishRead();
    }
  }

  /** The directory scanner lists the directories of a volume, on a thread of its pool. */
  static final class ListDirectories {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static DataNodeWork enter() {
      return DataNodeWork.begin(IoRole.DIRECTORY_SCANNER);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter DataNodeWork begun) {
      DataNodeWork.end(begun);
    }
  }

  /** A replica is read into memory, on a thread of a pool. */
  static final class CacheBlock {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static DataNodeWork enter() {
      return DataNodeWork.begin(IoRole.CACHED_BLOCK_LOAD);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter DataNodeWork begun) {
      DataNodeWork.end(begun);
    }
  }

  /**
   * A lost block of an erasure-coded file is computed. The thread asks other DataNodes for their
   * blocks, and sends them the result; its own disk is not used.
   */
  static final class Reconstruct {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static DataNodeWork enter() {
      return DataNodeWork.begin(IoRole.EC_RECONSTRUCTION);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter DataNodeWork begun) {
      DataNodeWork.end(begun);
    }
  }
}
