package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.bench.starvation.StarvationExperiment;
import org.hadoopprio.lab.bench.starvation.StarvationPlan;
import org.hadoopprio.lab.disk.DiskKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code hprio bench starvation}. */
@Command(
    name = "starvation",
    description =
        "Measures the throughput that real-time HDFS reads leave to 16 other streams on a virtual"
            + " disk, at several loads, with and without the DataNode's real-time share and aging.",
    mixinStandardHelpOptions = true)
final class BenchStarvationCommand implements Callable<Integer> {

  private static final int REPETITIONS = 1;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws IOException {
    StarvationPlan plan =
        new StarvationPlan(
            SchedulerKeys.SHARE.defaultValue(), options.quick(), options.repetitions(REPETITIONS));
    try (StarvationExperiment experiment =
        new StarvationExperiment(plan, DiskKind.VIRTUAL, options.directory().resolve("cluster"))) {
      return options.run(experiment);
    }
  }
}
