// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.HDFS_CLIENT;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.hadoopprio.hdfs.client.ClientReads;
import org.hadoopprio.hdfs.client.ShortCircuitReads;

/** The block reader of short-circuit reads, and the one that was it before Hadoop 2.1. */
public final class BlockReaderLocalHooks extends TypeHooks {

  public static final String BLOCK_READER_LOCAL =
      "org.apache.hadoop.hdfs.client.impl.BlockReaderLocal";

  /** Reads the file of a block. */
  public static final String BLOCK_READER_IO_PROVIDER =
      "org.apache.hadoop.hdfs.client.impl.metrics.BlockReaderIoProvider";

  private static final String BLOCK_READER_LOCAL_LEGACY =
      "org.apache.hadoop.hdfs.client.impl.BlockReaderLocalLegacy";

  public BlockReaderLocalHooks() {
    in(BLOCK_READER_LOCAL);
    // One reads into a buffer, the other into an array.
    hook(HDFS_CLIENT, "short-circuit-read", named("read").and(isPublic()), 2, "Read");
    hook(HDFS_CLIENT, "short-circuit-close", named("close").and(takesNoArguments()), "Close");
    in(BLOCK_READER_IO_PROVIDER);
    hook(HDFS_CLIENT, "short-circuit-file", named("read").and(takesArguments(3)), "ReadFile");
    in(BLOCK_READER_LOCAL_LEGACY);
    // Again two, and the one that opens a block, which reads the header of its checksums.
    hook(
        HDFS_CLIENT,
        "legacy-short-circuit",
        named("read").and(isPublic()).or(named("newBlockReader")),
        3,
        "LegacyRead");
  }

  /**
   * A short-circuit read: the calling thread reads the block file itself, without the DataNode, and
   * so sets its own priority and gives its turn back at the end. Reads of a memory-mapped block
   * (zero-copy) fault pages outside any call and are not covered.
   */
  static final class Read {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static int enter(
        @Advice.This BlockReader reader,
        @Advice.FieldValue("replica") ShortCircuitReplica replica) {
      return ShortCircuitReads.enter(reader, replica);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter int applied) {
      ShortCircuitReads.leave(applied);
    }
  }

  /**
   * The end of a block reader. Each positioned read has one of its own, and what is known of them
   * must not wait for the garbage collector.
   */
  static final class Close {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This BlockReader reader) {
      ShortCircuitReads.closed(reader);
    }
  }

  /**
   * A short-circuit read reaches the block's file: its buffer could not serve it. If the data is
   * not in the page cache, it waits for its turn. BlockReaderLocal takes a short read as any other
   * and reads the rest by another call. If the DataNode says that it would be late, the stream
   * reads another replica.
   */
  static final class ReadFile {
    @Advice.OnMethodEnter(skipOn = IOException.class, suppress = Throwable.class)
    static Object enter(
        @Advice.Argument(0) FileChannel file,
        @Advice.Argument(1) ByteBuffer buffer,
        @Advice.Argument(2) long position) {
      return ShortCircuitReads.beforeFile(file, buffer, position);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter Object before,
        @Advice.Argument(1) ByteBuffer buffer,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      if (before instanceof IOException) {
        failure = (IOException) before;
      } else {
        ShortCircuitReads.afterFile(buffer, before);
      }
    }
  }

  /**
   * The old short circuit (dfs.client.use.legacy.blockreader.local): the calling thread opens and
   * reads the block file itself, and so sets its own priority. It asks for no turn: nothing tells
   * the reader which DataNode has the socket.
   */
  static final class LegacyRead {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static int enter() {
      return ClientReads.applyLocal();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter int applied) {
      ClientReads.restoreLocal(applied);
    }
  }
}
