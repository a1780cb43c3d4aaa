// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.DATANODE;
import static org.hadoopprio.off.AgentModule.ENGINES;
import static org.hadoopprio.off.AgentModule.RECONFIGURE;

import java.util.Collection;
import java.util.List;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurableBase;
import org.apache.hadoop.conf.ReconfigurationUtil.PropertyChange;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.hadoopprio.hdfs.config.DataNodeReconfiguration;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.engine.EngineReads;
import org.hadoopprio.hdfs.datanode.shortcircuit.TurnService;

/** The DataNode, and what it inherits to be reconfigured. */
public final class DataNodeHooks extends TypeHooks {

  public static final String DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";

  public static final String RECONFIGURABLE_BASE = "org.apache.hadoop.conf.ReconfigurableBase";

  public DataNodeHooks() {
    in(DATA_NODE);
    hook(DATANODE, "datanode-serves", named("runDatanodeDaemon").and(takesNoArguments()), "Serves");
    hook(ENGINES, "start", named("startDataNode"), "Start");
    hook(
        RECONFIGURE,
        "reconfigurable-keys",
        namedOneOf("getReconfigurableProperties", "listReconfigurableProperties")
            .and(takesNoArguments()),
        2,
        "ReconfigurableKeys");
    hook(
        RECONFIGURE,
        "reconfigure",
        named("reconfigurePropertyImpl").and(takesArguments(2)),
        "Reconfigure");
    in(RECONFIGURABLE_BASE);
    hook(
        RECONFIGURE,
        "changed-properties",
        named("getChangedProperties").and(takesArguments(2)),
        "ChangedProperties");
  }

  /** A DataNode is about to serve: reads its policy and registers its metrics. */
  static final class Serves {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This DataNode dataNode) {
      DataNodeReads.dataNodeStarting(dataNode);
      TurnService.dataNodeStarting(dataNode);
    }
  }

  /** A DataNode has started: opens its engines and logs mistakes in their keys. */
  static final class Start {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This DataNode dataNode, @Advice.Argument(0) List<StorageLocation> dataDirectories) {
      EngineReads.dataNodeStarted(dataNode.getConf(), dataDirectories);
    }
  }

  /** Adds our keys to the reconfigurable ones of the DataNode. */
  static final class ReconfigurableKeys {
    // Object, because one of the two methods returns a collection and the other a list.
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object keys) {
      keys = DataNodeReconfiguration.withOurKeys((Collection<?>) keys);
    }
  }

  /** Changes our keys; a change of any other key goes on to the DataNode. */
  static final class Reconfigure {
    // Object: null lets the DataNode handle the key; a String or an exception skips the hooked
    // method and is what it returns or throws.
    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
    static Object enter(
        @Advice.This DataNode dataNode,
        @Advice.Argument(0) String key,
        @Advice.Argument(1) String newValue) {
      return DataNodeReconfiguration.change(dataNode.getConf(), key, newValue);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter Object outcome,
        @Advice.Return(readOnly = false) String effective,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      if (outcome instanceof Throwable) {
        failure = (Throwable) outcome;
      } else if (outcome != null) {
        effective = (String) outcome;
      }
    }
  }

  /**
   * Adds a policy file that was edited in place to the changes that {@code hdfs dfsadmin -reconfig}
   * finds by comparing the values of keys.
   */
  static final class ChangedProperties {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This ReconfigurableBase daemon,
        @Advice.Argument(0) Configuration newConf,
        @Advice.Argument(1) Configuration oldConf,
        @Advice.Return(readOnly = false) Collection<PropertyChange> changes) {
      if (daemon instanceof DataNode) {
        changes = DataNodeReconfiguration.withPolicyFile(oldConf, newConf, changes);
      }
    }
  }
}
