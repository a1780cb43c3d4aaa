// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static org.hadoopprio.off.AgentModule.REGIONSERVER;
import static org.hadoopprio.off.AgentModule.REGION_WORK;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.TypeHooks;
import org.hadoopprio.hbase.delegate.LockedReads;
import org.hadoopprio.hbase.delegate.RoleScopes;
import org.hadoopprio.role.WorkScope;

/** The store of a column family in a region, and what opens, makes and caches its files. */
public final class HStoreHooks extends TypeHooks {

  private static final String REGIONSERVERS = "org.apache.hadoop.hbase.regionserver.";

  public static final String HSTORE = REGIONSERVERS + "HStore";

  public HStoreHooks() {
    in(HSTORE);
    locked("store-lock", "getScanner");
    locked("reopen-files", "recreateScanners");
    locked("split-point", "getSplitPoint");
    hook(REGION_WORK, "flush", named("flushCache").and(takesArgument(0, long.class)), "Flush");
    in("org.apache.hadoop.hbase.mob.MobFileCache");
    locked("mob-file", "openFile");
    in(REGIONSERVERS + "StoreEngine");
    // The overload for a path calls this one.
    hook(
        REGION_WORK,
        "open-store-file",
        named("createStoreFileAndReader")
            .and(takesArgument(0, named(REGIONSERVERS + "StoreFileInfo"))),
        "OpenFile");
    in(REGIONSERVERS + "compactions.Compactor");
    hook(
        REGION_WORK,
        "compact",
        named("compact")
            .and(takesArgument(0, named(REGIONSERVERS + "compactions.CompactionRequestImpl"))),
        "Compact");
    in("org.apache.hadoop.hbase.io.hfile.PrefetchExecutor");
    hook(REGION_WORK, "prefetch", named("request"), "Prefetch");
  }

  private void locked(String name, String method) {
    hook(REGIONSERVER, name, named(method).and(isPublic()), "LockedRead");
  }

  /**
   * A method that reads under a lock which more urgent calls need:
   *
   * <ul>
   *   <li>A store makes a scanner, and holds its read lock while the scanner seeks in all store
   *       files. A flush or compaction that waits for the write lock lets no other reader pass.
   *   <li>A scan that changes to a stream has the store open its files anew, which reads their
   *       trailers and indexes under the store's read lock.
   *   <li>A store looks for the row that divides it, and reads a block of an index under its read
   *       lock. Any client may ask for that row.
   *   <li>A file of large values is opened, which reads it, under a lock for all who want that
   *       file.
   * </ul>
   */
  static final class LockedRead {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return LockedReads.open();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }

  /** A store writes what it has in memory to a file. */
  static final class Flush {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(@Advice.This Object store) {
      return RoleScopes.openFlush(store);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }

  /** A store file is opened, on a thread of a pool. */
  static final class OpenFile {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return RoleScopes.open(IoRole.STORE_OPEN);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }

  /** A compaction reads and writes, on one thread. */
  static final class Compact {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(
        @Advice.FieldValue("store") Object store, @Advice.Argument(0) Object request) {
      return RoleScopes.openCompaction(store, request);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }

  /** A store file is going to be read into the block cache, on a thread of a pool. */
  static final class Prefetch {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 1, readOnly = false) Runnable work) {
      work = RoleScopes.in(IoRole.PREFETCH, work);
    }
  }
}
