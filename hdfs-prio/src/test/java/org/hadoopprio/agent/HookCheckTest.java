// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import static net.bytebuddy.matcher.ElementMatchers.is;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.StubMethod;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.LocalReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.hadoopprio.agent.hooks.BlockReaderLocalHooks;
import org.hadoopprio.agent.hooks.BlockReceiverHooks;
import org.hadoopprio.agent.hooks.BlockSenderHooks;
import org.hadoopprio.agent.hooks.DFSClientHooks;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.junit.jupiter.api.Test;

public class HookCheckTest {

  private static final ClassFileLocator CLASS_PATH =
      ClassFileLocator.ForClassLoader.ofSystemLoader();

  private static final LoadedClasses NOTHING_LOADED =
      new LoadedClasses() {
        @Override
        public Class<?>[] all() {
          return new Class<?>[0];
        }

        @Override
        public void transform(Class<?> loaded) {
          throw new IllegalStateException(loaded.toString());
        }
      };

  @Test
  void everyHookFitsTheHadoopWeBuildAgainst() {
    HookCheck check = new HookCheck(CLASS_PATH);
    List<String> checked = new ArrayList<>();
    for (HookModule module : HdfsModules.ALL) {
      if (check.isPresent(module)) {
        assertFalse(module.hooks().isEmpty(), module.name());
        for (Hook hook : module.hooks()) {
          assertNull(check.mismatch(hook), hook.name());
        }
        checked.add(module.name());
      }
    }
    assertEquals(
        List.of(
            "hdfs-client", "late-reads", "datanode", "work", "scheduler", "engines", "reconfigure"),
        checked);
  }

  @Test
  void everyHookBelongsToAModule() throws IOException, URISyntaxException {
    Set<String> names = new TreeSet<>();
    Set<String> listed = new TreeSet<>();
    for (HookModule module : HdfsModules.ALL) {
      for (Hook hook : module.hooks()) {
        assertTrue(names.add(hook.name()), hook.name());
        listed.add(hook.advice().substring(hook.advice().lastIndexOf('.') + 1));
      }
    }
    Path classes =
        Path.of(HookModule.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Set<String> compiled;
    try (Stream<Path> files = Files.walk(classes.resolve("org/hadoopprio/agent/hooks"))) {
      compiled =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.contains("$"))
              .map(name -> name.substring(0, name.length() - ".class".length()))
              .collect(Collectors.toCollection(TreeSet::new));
    }
    assertEquals(compiled, listed);
  }

  @Test
  void oneHookThatDoesNotFitSwitchesItsWholeModuleOff() {
    HookModule module = HdfsModules.ALL.get(2);
    assertEquals("datanode", module.name());
    // The class of a readahead request as another Hadoop might have it: without run().
    String typeName = "org.apache.hadoop.io.ReadaheadPool$ReadaheadRequestImpl";
    DynamicType.Unloaded<?> other = new ByteBuddy().subclass(Object.class).name(typeName).make();
    HookCheck check =
        new HookCheck(
            new ClassFileLocator.Compound(
                ClassFileLocator.Simple.of(typeName, other.getBytes()), CLASS_PATH));
    Weaver weaver = new Weaver("test", () -> check, NOTHING_LOADED, List.of(module));
    weaver.startAll();
    assertFalse(weaver.isComplete());
    assertEquals(0, weaver.applied());
    assertEquals(module.hooks().size(), weaver.total());
    assertTrue(
        weaver.states().stream().anyMatch(s -> s.contains("readahead-run: off, " + typeName)),
        weaver.states().toString());
    assertTrue(
        weaver.states().stream().anyMatch(s -> s.contains("read-block: off, its module is off")),
        weaver.states().toString());
  }

  private static Hook hook(String name) {
    return HdfsModules.ALL.stream()
        .flatMap(module -> module.hooks().stream())
        .filter(hook -> hook.name().equals(name))
        .findAny()
        .orElseThrow();
  }

  /** Why a hook does not fit a Hadoop that has something else in place of a class. */
  private static String mismatch(String hook, DynamicType.Builder<?> other) {
    DynamicType.Unloaded<?> made = other.make();
    String type = made.getTypeDescription().getName();
    ClassFileLocator first = ClassFileLocator.Simple.of(type, made.getBytes());
    return new HookCheck(new ClassFileLocator.Compound(first, CLASS_PATH)).mismatch(hook(hook));
  }

  private static DynamicType.Builder<?> other(String type) {
    return new ByteBuddy().subclass(Object.class).name(type);
  }

  @Test
  void aTypeThatAdviceRefersToAndThatIsNotThereIsNamed() {
    String gone = ReplicaOutputStreams.class.getName();
    ClassFileLocator without = new ClassFileLocator.Filtering(not(is(gone)), CLASS_PATH);
    assertEquals(
        "class " + gone + " does not exist",
        new HookCheck(without).mismatch(hook("written-packet")));
  }

  @Test
  void aClassThatIsNoneOfWhatAdviceTakesItForDoesNotFit() {
    String reader = BlockReaderLocalHooks.BLOCK_READER_LOCAL;
    assertEquals(
        reader + " is no org.apache.hadoop.hdfs.BlockReader",
        mismatch(
            "short-circuit-close",
            other(reader)
                .defineMethod("close", void.class, Visibility.PUBLIC)
                .intercept(StubMethod.INSTANCE)));
  }

  @Test
  void aFieldThatIsMissingOrOfAnotherTypeDoesNotFit() {
    DynamicType.Builder<?> receiver =
        other(BlockReceiverHooks.BLOCK_RECEIVER)
            .defineMethod("receiveBlock", void.class)
            .intercept(StubMethod.INSTANCE)
            .defineField("datanode", DataNode.class)
            .defineField("block", ExtendedBlock.class)
            .defineField("streams", ReplicaOutputStreams.class);
    String missing =
        BlockReceiverHooks.BLOCK_RECEIVER
            + " has no field org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline replicaInfo";
    assertEquals(missing, mismatch("receive-block", receiver));
    assertEquals(
        missing, mismatch("receive-block", receiver.defineField("replicaInfo", Replica.class)));
    assertNull(
        mismatch(
            "receive-block", receiver.defineField("replicaInfo", LocalReplicaInPipeline.class)),
        "a subtype");
  }

  public static final class StreamsSubtype extends ReplicaInputStreams {
    StreamsSubtype() {
      super(null, null, null, null);
    }
  }

  /** Advice would replace a value of the field's type by one that may be another. */
  @Test
  void aFieldThatAdviceWritesMustBeOfItsType() {
    DynamicType.Builder<?> sender =
        other(BlockSenderHooks.BLOCK_SENDER)
            .defineMethod("sendBlock", void.class)
            .intercept(StubMethod.INSTANCE)
            .defineField("replica", Replica.class)
            .defineField("fileIoProvider", FileIoProvider.class)
            .defineField("offset", long.class)
            .defineField("endOffset", long.class);
    assertNull(mismatch("send-block", sender.defineField("ris", ReplicaInputStreams.class)));
    assertEquals(
        BlockSenderHooks.BLOCK_SENDER
            + " has no field "
            + ReplicaInputStreams.class.getName()
            + " ris",
        mismatch("send-block", sender.defineField("ris", StreamsSubtype.class)));
  }

  @Test
  void aMethodThatAdviceCallsAndThatIsNotThereIsNamed() {
    String streams = ReplicaOutputStreams.class.getName();
    assertEquals(
        streams + " has no method getOutFd()Ljava/io/FileDescriptor;",
        mismatch("written-packet", other(streams)));
  }

  @Test
  void argumentsThatAdviceTakesTellOverloadsApart() {
    DynamicType.Builder<?> one =
        other(DFSClientHooks.DFS_CLIENT)
            .defineMethod("addNodeToDeadNodeDetector", void.class)
            .withParameters(String.class, DatanodeInfo.class)
            .intercept(StubMethod.INSTANCE);
    assertNull(mismatch("dead-node-of-client", one));
    assertNull(mismatch("dead-node-of-client", overloaded(one, String.class)), "another");
    String two = mismatch("dead-node-of-client", overloaded(one, DatanodeInfo.class));
    assertTrue(two.startsWith(DFSClientHooks.DFS_CLIENT + " has 2 methods that match "), two);
  }

  private static DynamicType.Builder<?> overloaded(DynamicType.Builder<?> type, Class<?> second) {
    return type.defineMethod("addNodeToDeadNodeDetector", void.class)
        .withParameters(Object.class, second)
        .intercept(StubMethod.INSTANCE);
  }

  @Test
  void aModuleIsLeftOutWhereItsClassesAreNot() {
    HookCheck check = new HookCheck(ClassFileLocator.NoOp.INSTANCE);
    Weaver weaver = new Weaver("test", () -> check, NOTHING_LOADED, HdfsModules.ALL);
    weaver.startAll();
    assertEquals(0, weaver.total());
    assertTrue(weaver.isComplete());
  }
}
