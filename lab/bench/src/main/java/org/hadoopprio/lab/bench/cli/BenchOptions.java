// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.ExperimentRunner;
import org.hadoopprio.lab.bench.experiment.ReportText;
import org.hadoopprio.lab.bench.experiment.RunResult;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.cluster.ClusterException;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.disk.ReadAhead;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that the commands of all experiments share. */
final class BenchOptions {

  private static final int USUAL_REPETITIONS = 3;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIRECTORY",
      description =
          "Directory of the results; a stopped run is resumed there (default:"
              + " .hprio/bench/NAME in the project's directory, NAME-read-ahead-KIB with --read-ahead,"
              + " and -quick after it with --quick).")
  private Path out;

  @Option(names = "--quick", description = "A short run that does not measure every target.")
  private boolean quick;

  @Option(
      names = "--json",
      description = "Prints the result as JSON, and the summary to standard error.")
  private boolean json;

  @Option(
      names = "--repeat",
      paramLabel = "COUNT",
      description = "How many times each cell is measured; more can be added later.")
  private Integer repeat;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "The seed of the random order (default: the stored one, or a new one).")
  private Long seed;

  /** The name of the directory of the results; by default that of the command. */
  private String name;

  boolean quick() {
    return quick;
  }

  /** Gives an experiment of the command a directory of its own. */
  void named(String experiment) {
    name = experiment;
  }

  /** How many times each cell is measured. */
  int repetitions(int byDefault) {
    if (repeat == null) {
      return byDefault;
    }
    if (repeat < 1) {
      throw new ParameterException(spec.commandLine(), "--repeat must be 1 or more, not " + repeat);
    }
    return repeat;
  }

  /** The same by the usual default. */
  int usualRepetitions() {
    return repetitions(quick ? 1 : USUAL_REPETITIONS);
  }

  /** The directory of a cluster. */
  Path cluster() throws IOException {
    return directory().resolve("cluster");
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
    String directory = name == null ? spec.name() : name;
    String own = ReadAhead.given().map(given -> "-read-ahead-" + given.kib()).orElse("");
    return Path.of(home, ".hprio", "bench", directory + own + (quick ? "-quick" : ""));
  }

  /**
   * Runs an experiment and prints its results.
   *
   * @return the exit status of the command
   */
  int run(Experiment experiment) throws IOException {
    return run(experiment, false);
  }

  /**
   * Runs an experiment and prints its results.
   *
   * @param tables whether its tables are printed, too, which are in its report in any case
   * @return the exit status of the command
   */
  int run(Experiment experiment, boolean tables) throws IOException {
    RunResult result =
        new ExperimentRunner(
                experiment,
                directory(),
                Optional.ofNullable(seed),
                command(),
                System.err,
                Hprio.onTerminal())
            .run();
    print(result, tables);
    return result.outcome().exitCode();
  }

  /** The command line without the options that say where results go. */
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

  private void print(RunResult result, boolean tables) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter words = json ? spec.commandLine().getErr() : out;
    if (json) {
      out.println(
          new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(result.json()));
      out.flush();
    }
    if (tables) {
      result.findings().tables().forEach(table -> words.println(ReportText.of(table)));
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
