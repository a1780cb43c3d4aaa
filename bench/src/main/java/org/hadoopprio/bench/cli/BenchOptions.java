package org.hadoopprio.bench.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.bench.cluster.ClusterException;
import org.hadoopprio.bench.cluster.Installation;
import org.hadoopprio.bench.experiment.Experiment;
import org.hadoopprio.bench.experiment.ExperimentRunner;
import org.hadoopprio.bench.experiment.RunResult;
import org.hadoopprio.bench.experiment.Target;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all experiments' commands have in common: a mixin. */
final class BenchOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIRECTORY",
      description =
          "Where the results are; a run that was stopped is resumed there (default:"
              + " .hprio/bench/NAME in the project's directory, NAME-quick with --quick).")
  private Path out;

  @Option(names = "--quick", description = "A short run, which does not measure every target.")
  private boolean quick;

  @Option(
      names = "--json",
      description = "Prints the result as JSON; the summary line goes to standard error then.")
  private boolean json;

  @Option(
      names = "--repeat",
      paramLabel = "COUNT",
      description = "How often each cell is measured; more can be added later.")
  private Integer repeat;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "The seed of the random order (default: the stored one, else any).")
  private Long seed;

  boolean quick() {
    return quick;
  }

  /** How often each cell is measured. */
  int repetitions(int byDefault) {
    if (repeat == null) {
      return byDefault;
    }
    if (repeat < 1) {
      throw new ParameterException(spec.commandLine(), "--repeat must be 1 or more, not " + repeat);
    }
    return repeat;
  }

  /** The directory of the results. */
  Path directory() throws IOException {
    if (out != null) {
      return out;
    }
    String home = System.getProperty(Installation.HOME_PROPERTY);
    if (home == null) {
      throw new ClusterException(
          "the system property "
              + Installation.HOME_PROPERTY
              + " must name the project's directory");
    }
    return Path.of(home, ".hprio", "bench", spec.name() + (quick ? "-quick" : ""));
  }

  /**
   * Runs an experiment and prints what came of it.
   *
   * @return the exit status of the command
   */
  int run(Experiment experiment) throws IOException {
    RunResult result =
        new ExperimentRunner(
                experiment,
                directory(),
                Optional.ofNullable(seed),
                command(),
                System.err,
                Hprio.onTerminal())
            .run();
    print(result);
    return result.outcome().exitCode();
  }

  /** The command line without where results go, which is no part of what is measured. */
  private String command() {
    List<String> words = new ArrayList<>(List.of("bin/hprio"));
    List<String> given = spec.root().commandLine().getParseResult().originalArgs();
    for (int i = 0; i < given.size(); i++) {
      String word = given.get(i);
      if (word.equals("--out")) {
        i++;
      } else if (!word.startsWith("--out=") && !word.equals("--json")) {
        words.add(word);
      }
    }
    return String.join(" ", words);
  }

  private void print(RunResult result) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter words = json ? spec.commandLine().getErr() : out;
    if (json) {
      out.println(
          new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(result.json()));
      out.flush();
    }
    for (Target target : result.findings().targets()) {
      words.println(target);
    }
    result.findings().invalid().forEach(reason -> words.println("invalid: " + reason));
    words.println("report: " + result.report());
    words.println(result.summaryLine());
    words.flush();
  }
}
