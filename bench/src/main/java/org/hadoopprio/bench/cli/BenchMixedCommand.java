package org.hadoopprio.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.hadoopprio.bench.mixed.Background;
import org.hadoopprio.bench.mixed.GetLoad;
import org.hadoopprio.bench.mixed.MixedExperiment;
import org.hadoopprio.bench.mixed.MixedPlan;
import org.hadoopprio.bench.mixed.MixedSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench mixed}: HBase Gets beside work that reads as much as it can. */
@Command(
    name = "mixed",
    description =
        "Measures HBase Gets beside sequential readers and MapReduce jobs on one virtual hard disk:"
            + " stock, background throttled, ionice, hadoop-prio with a drive without and with"
            + " priority, and without background. Needs root and up to 20 GiB of memory.",
    mixinStandardHelpOptions = true)
final class BenchMixedCommand implements Callable<Integer> {

  private static final int DEFAULT_SECONDS = 60;
  private static final int LEAST_SECONDS = 5;
  private static final int MOST_SECONDS = 3600;
  private static final int REPETITIONS = 3;

  private static final Set<MixedSystem> QUICK_SYSTEMS =
      EnumSet.of(MixedSystem.STOCK, MixedSystem.HOST, MixedSystem.FULL, MixedSystem.BOUND);

  @Spec private CommandSpec spec;
  @Mixin private BenchOptions options;

  @Option(
      names = "--systems",
      paramLabel = "LIST",
      split = ",",
      description =
          "Only these: stock, throttle, ionice, host, full, bound (default: all; with --quick"
              + " stock, host, full, bound).")
  private List<String> systems;

  @Option(
      names = "--backgrounds",
      paramLabel = "LIST",
      split = ",",
      description =
          "Only these: streams4, streams16, streams32, wordcount, rowcounter (default: all; with"
              + " --quick streams16).")
  private List<String> backgrounds;

  @Option(
      names = "--loads",
      paramLabel = "LIST",
      split = ",",
      description =
          "Only these: open, closed1, closed4, closed16 (default: all; with --quick open).")
  private List<String> loads;

  @Option(
      names = "--seconds",
      paramLabel = "COUNT",
      description =
          "How long each cell is measured after its ramp, "
              + LEAST_SECONDS
              + " to "
              + MOST_SECONDS
              + " (default: "
              + DEFAULT_SECONDS
              + ").")
  private int seconds = DEFAULT_SECONDS;

  @Override
  public Integer call() throws IOException {
    if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds must be " + LEAST_SECONDS + " to " + MOST_SECONDS + ", not " + seconds);
    }
    MixedPlan plan = plan();
    Path cluster = options.directory().resolve("cluster");
    MixedExperiment experiment = MixedExperiment.of(plan, seconds, cluster);
    System.err.println(plan.describe());
    return options.run(experiment);
  }

  private MixedPlan plan() {
    boolean quick = options.quick();
    Set<MixedSystem> allSystems = quick ? QUICK_SYSTEMS : EnumSet.allOf(MixedSystem.class);
    Set<Background> allBackgrounds =
        quick
            ? EnumSet.of(Background.STREAMS16)
            : EnumSet.complementOf(EnumSet.of(Background.NONE));
    Set<GetLoad> allLoads = quick ? EnumSet.of(GetLoad.OPEN) : EnumSet.allOf(GetLoad.class);
    try {
      return MixedPlan.of(
          chosen("--systems", systems, MixedSystem.class, allSystems),
          chosen("--backgrounds", backgrounds, Background.class, allBackgrounds),
          chosen("--loads", loads, GetLoad.class, allLoads),
          options.repetitions(quick ? 1 : REPETITIONS),
          seconds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private <E extends Enum<E>> Set<E> chosen(
      String option, List<String> names, Class<E> type, Set<E> byDefault) {
    if (names == null) {
      return byDefault;
    }
    Set<E> chosen = EnumSet.noneOf(type);
    for (String name : names) {
      chosen.add(value(option, name, type));
    }
    return chosen;
  }

  private <E extends Enum<E>> E value(String option, String name, Class<E> type) {
    Set<E> allowed = EnumSet.allOf(type);
    allowed.removeIf(value -> value == Background.NONE);
    return allowed.stream()
        .filter(value -> text(value).equals(name.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    option
                        + " has \""
                        + name
                        + "\"; allowed: "
                        + allowed.stream()
                            .map(BenchMixedCommand::text)
                            .collect(Collectors.joining(", "))));
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
