// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.MalformedPriorityException;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.linux.ThreadIoPriority;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** What the hooks of a read call, in nanoseconds each; {@code bin/lib/overhead.py} runs it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HookCosts {

  /** Needs no privilege. */
  private static final IoPriority PRIORITY = IoPriority.bestEffort(3);

  private static final Hint HINT = Hint.of(PRIORITY, null);

  private final ExtendedBlockProto plain =
      ExtendedBlockProto.newBuilder().setPoolId("pool").setBlockId(1).setGenerationStamp(1).build();

  private final Message stated = PriorityField.write(plain, HINT);

  /** Prints JMH's table; the argument says how many JVMs run each. */
  public static void main(String[] arguments) throws RunnerException {
    new Runner(
            new OptionsBuilder()
                .include(HookCosts.class.getName())
                .forks(Integer.parseInt(arguments[0]))
                .build())
        .run();
  }

  @Benchmark
  public IoPriority clientWithoutAPriority() {
    return CurrentPriority.get();
  }

  @Benchmark
  public IoPriority clientStatesAPriority() {
    try (PriorityScope scope = PriorityScope.open(PRIORITY)) {
      return CurrentPriority.get();
    }
  }

  @Benchmark
  public Message requestWithAField() {
    return PriorityField.write(plain, HINT);
  }

  @Benchmark
  public Hint dataNodeReadsNoField() throws MalformedPriorityException {
    return PriorityField.read(plain);
  }

  @Benchmark
  public Hint dataNodeReadsAField() throws MalformedPriorityException {
    return PriorityField.read(stated);
  }

  /** Two system calls. */
  @Benchmark
  public void dataNodeSetsAThreadAndBack() {
    ThreadIoPriority.restore(ThreadIoPriority.apply(PRIORITY));
  }
}
