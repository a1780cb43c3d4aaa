// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionserver;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.LockedReads;
import org.hadoopprio.role.WorkScope;

/** A method that reads under a lock which more urgent calls need. */
final class LockedReadHook extends HookBase {

  private LockedReadHook(String name, String typeName, String method) {
    super(name, typeName, named(method).and(isPublic()));
  }

  /**
   * A store makes a scanner, and holds its read lock while the scanner seeks in all store files. A
   * flush or compaction that waits for the write lock lets no other reader pass.
   */
  static LockedReadHook ofStore() {
    return new LockedReadHook("store-lock", HBaseTypes.HSTORE, "getScanner");
  }

  /**
   * A scan that changes to a stream has the store open its files anew, which reads their trailers
   * and indexes under the store's read lock.
   */
  static LockedReadHook ofReopenedFiles() {
    return new LockedReadHook("reopen-files", HBaseTypes.HSTORE, "recreateScanners");
  }

  /**
   * A store looks for the row that divides it, and reads a block of an index under its read lock.
   * Any client may ask for that row.
   */
  static LockedReadHook ofSplitPoint() {
    return new LockedReadHook("split-point", HBaseTypes.HSTORE, "getSplitPoint");
  }

  /** A file of large values is opened, which reads it, under a lock for all who want that file. */
  static LockedReadHook ofMobFile() {
    return new LockedReadHook("mob-file", HBaseTypes.MOB_FILE_CACHE, "openFile");
  }

  static final class LockedReadAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return LockedReads.open();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
