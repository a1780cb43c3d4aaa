// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.RpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.ipc.SimpleRpcScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a {@link GeneralQueue} around each queue of general calls in HBase's scheduler. HBase offers
 * no way to give its general handlers another queue and to keep the operator's settings (read
 * ratio, {@code deadline}, {@code codel}), so its list of queues is changed before the handlers
 * start.
 */
final class GeneralQueues {

  private static final Logger LOG = LoggerFactory.getLogger(GeneralQueues.class);

  private GeneralQueues() {}

  /**
   * Lets the general handlers serve the calls of the real-time queue, too.
   *
   * @param general HBase's scheduler, not yet started
   * @return false if this HBase's scheduler is another than expected; then nothing is changed
   */
  static boolean share(RpcScheduler general, RealtimeRpcExecutor realtime) {
    try {
      Object executor = executor(general);
      @SuppressWarnings("unchecked")
      List<BlockingQueue<CallRunner>> queues =
          (List<BlockingQueue<CallRunner>>) value(field(RpcExecutor.class, "queues"), executor);
      List<Field> stacks = stacks(executor);
      List<GeneralQueue> all = new CopyOnWriteArrayList<>();
      // One by one: HBase has parts of the list, which replaceAll would make unusable.
      for (int i = 0; i < queues.size(); i++) {
        queues.set(i, new GeneralQueue(queues.get(i), realtime, all));
      }
      for (Field stack : stacks) {
        stack.set(executor, new ReadyHandlers(all));
      }
      return true;
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(
          "Real-time calls that wait do not go to general handlers: the RPC scheduler {} is another"
              + " than expected: {}",
          general.getClass().getName(),
          e.toString());
      return false;
    }
  }

  /** That of the general calls, also in a scheduler that another factory has put around HBase's. */
  private static Object executor(RpcScheduler general) throws ReflectiveOperationException {
    Object scheduler = general;
    while (!(scheduler instanceof SimpleRpcScheduler)) {
      scheduler = value(field(scheduler.getClass(), "delegate"), scheduler);
    }
    return value(field(SimpleRpcScheduler.class, "callExecutor"), scheduler);
  }

  /** Those of handlers that wait for a call; none for some types of queues. */
  private static List<Field> stacks(Object executor) throws IllegalAccessException {
    List<Field> stacks = new ArrayList<>();
    for (Field field : executor.getClass().getDeclaredFields()) {
      if (field.getType() == Deque.class && value(field, executor) != null) {
        stacks.add(field);
      }
    }
    return stacks;
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return field;
        }
      }
    }
    throw new NoSuchFieldException(type.getName() + "." + name);
  }

  private static Object value(Field field, Object of) throws IllegalAccessException {
    field.setAccessible(true);
    return field.get(of);
  }
}
