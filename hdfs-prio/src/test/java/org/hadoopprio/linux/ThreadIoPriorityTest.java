// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.off.SwitchedOff;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests with the kernel's answers to ioprio_get(2). Best-effort and idle need no privilege. */
class ThreadIoPriorityTest {

  @BeforeEach
  void linux() {
    Need.THREAD_PRIORITIES.require(Optional.ofNullable(ThreadIoPriority.unavailableReason()));
  }

  private static int kernel() {
    return IoprioSyscall.get();
  }

  private static <T> T onNewThread(Callable<T> work) throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor();
    try {
      Future<T> result = one.submit(work);
      return result.get();
    } finally {
      one.shutdown();
    }
  }

  @Test
  void setsAndRestores() throws Exception {
    onNewThread(
        () -> {
          int before = kernel();
          int begun = ThreadIoPriority.apply(IoPriority.IDLE);
          assertEquals(IoPriority.IDLE.kernelValue(), kernel());
          assertEquals(IoPriority.IDLE, ThreadIoPriority.applied());
          int nested = ThreadIoPriority.apply(IoPriority.bestEffort(7));
          assertEquals(IoPriority.bestEffort(7).kernelValue(), kernel());
          ThreadIoPriority.restore(nested);
          assertEquals(IoPriority.IDLE.kernelValue(), kernel());
          ThreadIoPriority.restore(begun);
          assertEquals(before, kernel());
          assertNull(ThreadIoPriority.applied());
          return null;
        });
  }

  @Test
  void whatChangesNothingIsNotRestored() throws Exception {
    onNewThread(
        () -> {
          int begun = ThreadIoPriority.apply(IoPriority.IDLE);
          assertEquals(ThreadIoPriority.UNCHANGED, ThreadIoPriority.apply(IoPriority.IDLE));
          ThreadIoPriority.restore(begun);
          return null;
        });
  }

  /**
   * The value that kernels before 5.15 report for a thread without a priority and refuse to set.
   */
  @Test
  void aValueWithoutAClassIsSetBackAsNone() {
    assertEquals(0, IoprioSyscall.settable(4));
    assertEquals(0, IoprioSyscall.settable(0));
    assertEquals(IoPriority.IDLE.kernelValue(), IoprioSyscall.settable(3 << 13));
    assertEquals(-1, IoprioSyscall.settable(-1));
  }

  /** Byte Buddy passes 0 to exit advice if the enter advice has failed. */
  @Test
  void afterAFailedAdviceNothingIsRestored() throws Exception {
    onNewThread(
        () -> {
          int begun = ThreadIoPriority.apply(IoPriority.IDLE);
          ThreadIoPriority.restore(0);
          assertEquals(IoPriority.IDLE.kernelValue(), kernel());
          ThreadIoPriority.restore(begun);
          return null;
        });
  }

  /** A thread inherits the priority of the thread that creates it. */
  @Test
  void aPoolThreadIsSettledWhateverItInherited() throws Exception {
    int normal = onNewThread(ThreadIoPriorityTest::kernel);
    onNewThread(
        () -> {
          int begun = ThreadIoPriority.apply(IoPriority.IDLE);
          try {
            onNewThread(
                () -> {
                  assertEquals(IoPriority.IDLE.kernelValue(), kernel(), "inherited");
                  ThreadIoPriority.settle(null);
                  assertEquals(normal, kernel());
                  ThreadIoPriority.settle(IoPriority.bestEffort(7));
                  assertEquals(IoPriority.bestEffort(7).kernelValue(), kernel());
                  ThreadIoPriority.settle(null);
                  assertEquals(normal, kernel());
                  return null;
                });
          } finally {
            ThreadIoPriority.restore(begun);
          }
          return null;
        });
  }

  @Test
  void nothingIsSetWhileAllIsOffAndWhatWasSetIsRestored() throws Exception {
    onNewThread(
        () -> {
          int before = kernel();
          int begun = ThreadIoPriority.apply(IoPriority.IDLE);
          try (SwitchedOff off = SwitchedOff.all()) {
            assertEquals(
                ThreadIoPriority.UNCHANGED, ThreadIoPriority.apply(IoPriority.bestEffort(7)));
            ThreadIoPriority.restore(begun);
            assertEquals(before, kernel());
            ThreadIoPriority.settle(IoPriority.IDLE);
            assertEquals(before, kernel());
          }
          ThreadIoPriority.settle(IoPriority.IDLE);
          assertEquals(IoPriority.IDLE.kernelValue(), kernel());
          return null;
        });
  }
}
