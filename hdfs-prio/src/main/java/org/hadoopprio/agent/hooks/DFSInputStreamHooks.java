// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static org.hadoopprio.off.AgentModule.HDFS_CLIENT;
import static org.hadoopprio.off.AgentModule.LATE_READS;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.Callable;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hadoopprio.hdfs.client.ClientDefaults;
import org.hadoopprio.hdfs.client.ClientReads;
import org.hadoopprio.hdfs.client.LateReads;

/** The stream of an HDFS client, and that of an erasure-coded file. */
public final class DFSInputStreamHooks extends TypeHooks {

  public static final String DFS_INPUT_STREAM = "org.apache.hadoop.hdfs.DFSInputStream";

  private static final String DFS_STRIPED_INPUT_STREAM =
      "org.apache.hadoop.hdfs.DFSStripedInputStream";

  /** Reads a stripe, on threads of a pool. */
  private static final String STRIPE_READER = "org.apache.hadoop.hdfs.StripeReader";

  public DFSInputStreamHooks() {
    in(DFS_INPUT_STREAM);
    hook(HDFS_CLIENT, "open-block", named("getBlockReader"), "OpenBlock");
    // All methods that read sequentially call this one.
    hook(
        HDFS_CLIENT,
        "sequential-read",
        named("readWithStrategy").and(takesArguments(1)),
        "SequentialRead");
    hook(HDFS_CLIENT, "positioned-read", named("actualGetFromOneDataNode"), "PositionedRead");
    hook(HDFS_CLIENT, "hedged-read", named("getFromOneDataNode"), "HedgedRead");
    hook(LATE_READS, "positioned-block", named("fetchBlockByteRange"), "PositionedBlock");
    hook(LATE_READS, "choose-node", named("getBestNodeDNAddrPair"), "ChooseNode");
    hook(LATE_READS, "read-failed", named("checkInterrupted").and(takesArguments(1)), "ReadFailed");
    hook(LATE_READS, "dead-node", named("addToLocalDeadNodes").and(takesArguments(1)), "DeadNode");
    in(DFS_STRIPED_INPUT_STREAM);
    hook(HDFS_CLIENT, "striped-positioned-read", named("fetchBlockByteRange"), "PositionedRead");
    hook(
        HDFS_CLIENT,
        "striped-sequential-read",
        named("readWithStrategy").and(takesArguments(1)),
        "StripedSequentialRead");
    in(STRIPE_READER);
    hook(HDFS_CLIENT, "stripe-part", named("readCells"), "StripePart");
  }

  /**
   * Opens every block that a stream reads (positioned, sequential and striped). Binds the client's
   * default priority and records the priority that was sent.
   */
  static final class OpenBlock {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static ClientDefaults enter(@Advice.FieldValue("dfsClient") DFSClient client) {
      return ClientReads.opening(client);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter ClientDefaults entered,
        @Advice.Return BlockReader reader,
        @Advice.Argument(0) LocatedBlock block,
        @Advice.Argument(1) long offset,
        @Advice.Argument(2) long length) {
      ClientReads.opened(reader, block, offset, length);
      ClientReads.openingEnds(entered);
    }
  }

  /**
   * A sequential read. If the priority has changed since the block was opened, this hook makes the
   * stream reopen it, as a seek does, by resetting the end of the current block.
   */
  static final class SequentialRead {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static ClientDefaults enter(
        @Advice.FieldValue("dfsClient") DFSClient client,
        @Advice.FieldValue("blockReader") BlockReader reader,
        @Advice.FieldValue(value = "blockEnd", readOnly = false) long blockEnd) {
      ClientDefaults entered = ClientReads.enter(client);
      if (ClientReads.mustReopen(reader)) {
        blockEnd = -1;
      }
      return entered;
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter ClientDefaults entered) {
      ClientReads.leave(entered);
    }
  }

  /**
   * A positioned read of a block or a block group, on the thread of the caller or of a hedged read.
   * Binds the client's default priority for a short-circuit reader, which reads after the block has
   * been opened, and for the threads of a pool that read the parts of a stripe ({@link
   * StripePart}).
   */
  static final class PositionedRead {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static ClientDefaults enter(@Advice.FieldValue("dfsClient") DFSClient client) {
      return ClientReads.enter(client);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter ClientDefaults entered) {
      ClientReads.leave(entered);
    }
  }

  /**
   * Lets the task of a hedged read, which runs on a pool thread, take the caller's priority along.
   * Its parameters differ between 3.4 and 3.5.
   */
  static final class HedgedRead {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return(readOnly = false) Callable<?> task) {
      task = ClientReads.carry(task);
    }
  }

  /**
   * A positioned read of a block without hedging, which asks one DataNode after the other. 3.5 has
   * a parameter more.
   */
  static final class PositionedBlock {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static Object enter(@Advice.FieldValue("dfsClient") DFSClient client) {
      return LateReads.begin(client);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter Object read) {
      LateReads.end(read);
    }
  }

  /** A stream chooses the DataNode to read from: not one that is late. */
  static final class ChooseNode {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.This DFSInputStream stream,
        @Advice.FieldValue("dfsClient") DFSClient client,
        @Advice.Argument(0) LocatedBlock block,
        @Advice.Argument(value = 1, readOnly = false) Collection<DatanodeInfo> ignored) {
      ignored = LateReads.ignoring(stream, client, block, ignored);
    }
  }

  /**
   * A read from a DataNode has failed. The method is the first to see why, in all that read from
   * one; it throws if the thread was interrupted.
   */
  static final class ReadFailed {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) IOException failure) {
      LateReads.failed(failure);
    }
  }

  /** A stream is about to read nothing more from a DataNode: not if it was only late. */
  static final class DeadNode {
    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class, suppress = Throwable.class)
    static boolean enter(@Advice.Argument(0) DatanodeInfo node) {
      return LateReads.isOnlyLate(node);
    }
  }

  /**
   * A sequential read of an erasure-coded file. Binds the client's default priority, and makes the
   * stream reopen its blocks if the priority has changed. The end of the block group is negative if
   * none is open.
   */
  static final class StripedSequentialRead {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static ClientDefaults enter(
        @Advice.This DFSInputStream stream,
        @Advice.FieldValue("dfsClient") DFSClient client,
        @Advice.FieldValue("blockEnd") long blockEnd) {
      ClientDefaults entered = ClientReads.enter(client);
      ClientReads.stripesRead(stream, blockEnd >= 0);
      return entered;
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter ClientDefaults entered) {
      ClientReads.leave(entered);
    }
  }

  /**
   * Lets the task that reads a part of a stripe, which runs on a pool thread, take the caller's
   * priority along: by short circuit it reads the disk itself.
   */
  static final class StripePart {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return(readOnly = false) Callable<?> task) {
      task = ClientReads.carryStripe(task);
    }
  }
}
