// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.REGION_WORK;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.TypeHooks;
import org.hadoopprio.hbase.delegate.RoleScopes;
import org.hadoopprio.role.WorkScope;

/** What writes a write-ahead log, reads it for replication, and divides it after a crash. */
public final class WriteAheadLogHooks extends TypeHooks {

  private static final String HBASE = "org.apache.hadoop.hbase.";

  public WriteAheadLogHooks() {
    // Opens the blocks of an asynchronous log, without the HDFS client.
    in(HBASE + "io.asyncfs.FanOutOneBlockAsyncDFSOutputHelper");
    hook(REGION_WORK, "log-block", named("requestWriteBlock"), "LogBlock");
    // Writes a log with the HDFS client (the provider filesystem).
    in(HBASE + "regionserver.wal.ProtobufLogWriter");
    hook(REGION_WORK, "open-log", named("initOutput"), "OpenLog");
    in(HBASE + "replication.regionserver.WALEntryStream");
    hook(
        REGION_WORK,
        "replication-read",
        named("hasNext").and(takesNoArguments()),
        "ReplicationRead");
    // Divides the log of a RegionServer that has died among its regions: reads it ...
    in(HBASE + "wal.WALSplitter");
    hook(REGION_WORK, "split-log", named("splitWAL").and(takesArguments(2)), "Split");
    // ... and writes what each has of it.
    in(HBASE + "wal.OutputSink$WriterThread");
    hook(REGION_WORK, "write-split", named("run").and(takesNoArguments()), "Split");
  }

  /**
   * A block of a write-ahead log is opened on a DataNode by the asynchronous provider, which builds
   * the operation itself and sends it from an event loop.
   */
  static final class LogBlock {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(2) Message.Builder operation) {
      RoleScopes.stamp(IoRole.WAL, operation);
    }
  }

  /** A write-ahead log is opened for writing. */
  static final class OpenLog {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return RoleScopes.openLog();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }

  /** The next entry of a write-ahead log is read for replication, and the log opened for it. */
  static final class ReplicationRead {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return RoleScopes.open(IoRole.REPLICATION_SOURCE);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }

  /** A write-ahead log is divided among regions. */
  static final class Split {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return RoleScopes.open(IoRole.WAL_RECOVERY);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
