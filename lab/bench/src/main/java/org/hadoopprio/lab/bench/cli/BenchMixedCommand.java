// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.bench.mixed.Background;
import org.hadoopprio.lab.bench.mixed.GetLoad;
import org.hadoopprio.lab.bench.mixed.MixedExperiment;
import org.hadoopprio.lab.bench.mixed.MixedPlan;
import org.hadoopprio.lab.bench.mixed.MixedSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench mixed}: HBase Gets beside background that reads as fast as it can. */
@Command(
    name = "mixed",
    description =
        "Measures HBase Gets beside sequential readers and MapReduce jobs on one virtual hard disk:"
            + " stock, background throttled, hadoop-prio with a drive without and with"
            + " priority, without background, and without Gets; if asked for, also what else users may pick."
            + " Needs root and up to 20 GiB of memory.",
    mixinStandardHelpOptions = true)
final class BenchMixedCommand implements Callable<Integer> {

  private static final int DEFAULT_SECONDS = 60;
  private static final int MIN_SECONDS = 5;
  private static final int MAX_SECONDS = 3600;

  private static final Set<MixedSystem> QUICK_SYSTEMS =
      EnumSet.of(
          MixedSystem.STOCK,
          MixedSystem.HOST,
          MixedSystem.FULL,
          MixedSystem.BOUND,
          MixedSystem.NO_GETS);

  @Spec private CommandSpec spec;
  @Mixin private BenchOptions options;
  @Mixin private ReadAheadOption readAhead;
  @Mixin private DriveOption drive;

  @Option(
      names = "--systems",
      paramLabel = "LIST",
      split = ",",
      description =
          "Only these: stock, throttle, host, full, bound, no-gets (the default; with --quick"
              + " stock, host, full, bound, no-gets), stock-local, host-local, full-local,"
              + " bound-local (the same with short circuit), ionice-local (short circuit, RegionServer"
              + " real-time and background idle by ionice), ionice-local-bfq, stock-bfq (on BFQ),"
              + " order-host and order-full"
              + " (hadoop-prio's classes alone; drive without and with priority), within-50ms, within-100ms, within-200ms (like host, Gets with a latency target), levels"
              + " (Gets of four service levels, with load open60); or all of them: all.")
  private List<String> systems;

  @Option(
      names = "--backgrounds",
      paramLabel = "LIST",
      split = ",",
      description =
          "Only these: streams16, wordcount, rowcounter (default: all; with --quick streams16).")
  private Set<Background> backgrounds;

  @Option(
      names = "--loads",
      paramLabel = "LIST",
      split = ",",
      description =
          "Only these: open (18 Gets a second, the default), open60 (60; systems host,"
              + " within-50ms, within-100ms, within-200ms and levels).")
  private Set<GetLoad> loads;

  @Option(
      names = "--seconds",
      paramLabel = "COUNT",
      description =
          "How long each cell is measured after its ramp, "
              + MIN_SECONDS
              + " to "
              + MAX_SECONDS
              + " (default: "
              + DEFAULT_SECONDS
              + ").")
  private int seconds = DEFAULT_SECONDS;

  @Override
  public Integer call() throws IOException {
    readAhead.requireKnown();
    options.named(spec.name() + drive.suffix());
    if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds must be " + MIN_SECONDS + " to " + MAX_SECONDS + ", not " + seconds);
    }
    MixedPlan plan = plan();
    MixedExperiment experiment =
        MixedExperiment.of(plan, seconds, drive.drive(), options.cluster());
    System.err.println(plan.describe());
    return options.run(experiment);
  }

  private MixedPlan plan() {
    boolean quick = options.quick();
    Set<MixedSystem> usualSystems = quick ? QUICK_SYSTEMS : MixedSystem.byDefault();
    Set<Background> allBackgrounds =
        quick
            ? EnumSet.of(Background.STREAMS16)
            : EnumSet.complementOf(EnumSet.of(Background.NONE));
    try {
      return MixedPlan.of(
          systems == null ? usualSystems : EnumNames.named(MixedSystem.class, systems),
          Objects.requireNonNullElse(backgrounds, allBackgrounds),
          Objects.requireNonNullElse(loads, EnumSet.of(GetLoad.OPEN)),
          options.usualRepetitions(),
          seconds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
