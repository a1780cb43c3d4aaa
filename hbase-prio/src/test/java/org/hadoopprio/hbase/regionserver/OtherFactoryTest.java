// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ipc.DelegatingRpcScheduler;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A site that has a factory of schedulers of somebody else, such as Phoenix's. */
class OtherFactoryTest {

  private static final List<RpcScheduler> MADE = new ArrayList<>();

  private final Configuration conf = new Configuration(false);

  /** Puts a scheduler around HBase's. */
  public static final class OtherFactory extends SimpleRpcSchedulerFactory {
    @Override
    public RpcScheduler create(Configuration conf, PriorityFunction levels, Abortable server) {
      RpcScheduler stock = super.create(conf, levels, server);
      MADE.add(new DelegatingRpcScheduler(stock));
      return MADE.get(MADE.size() - 1);
    }
  }

  private RpcScheduler create() {
    return new IoPriorityRpcSchedulerFactory().create(conf, null, null);
  }

  @Test
  void itsSchedulerServesOtherCalls() {
    conf.set(
        "hbase.regionserver.io.priority.scheduler.factory.class", OtherFactory.class.getName());
    MADE.clear();
    RpcScheduler scheduler = create();
    assertTrue(scheduler instanceof IoPriorityRpcScheduler, scheduler.toString());
    assertEquals(1, MADE.size());
    RealtimeRpcExecutor realtime = new RealtimeRpcExecutor(1, 10, null, conf, null);
    assertTrue(GeneralQueues.share(MADE.get(0), realtime), "its general handlers are HBase's");
    conf.set(HBaseKeys.REALTIME_HANDLERS.name(), "0");
    conf.set(HBaseKeys.BACKGROUND_HANDLERS.name(), "0");
    assertEquals(create(), MADE.get(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no.such.Factory",
        "java.lang.String",
        "org.hadoopprio.hbase.regionserver.IoPriorityRpcSchedulerFactory"
      })
  void anotherClassIsRefused(String name) {
    conf.set("hbase.regionserver.io.priority.scheduler.factory.class", name);
    String message = assertThrows(IllegalArgumentException.class, this::create).getMessage();
    assertTrue(message.contains("hbase.regionserver.io.priority.scheduler.factory.class"), message);
    assertTrue(message.contains(name) && message.contains("allowed"), message);
  }
}
