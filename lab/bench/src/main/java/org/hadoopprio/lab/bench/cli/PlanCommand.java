// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.plan.Against;
import org.hadoopprio.lab.bench.plan.Choice;
import org.hadoopprio.lab.bench.plan.Plan;
import org.hadoopprio.lab.bench.plan.PlanExperiment;
import org.hadoopprio.lab.bench.plan.PlanReader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio bench PLAN}: the experiment of a plan, one that is shipped or a file. */
@Command(description = "Measures what the plan says.", mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {

  /** The plans that are shipped; those of a directory are commands of a command. */
  private static final List<String> SHIPPED =
      List.of(
          "jobs",
          "latency/multigets",
          "latency/outputs",
          "mixed",
          "ownwork",
          "starvation",
          "tenants",
          "wordcount");

  private static final String ENDING = "\\.ya?ml";
  private static final int MAX_SECONDS = 3600;

  @Spec private CommandSpec spec;
  @Mixin private BenchOptions options;
  @Mixin private ReadAheadOption readAhead;

  @Option(
      names = "--conditions",
      paramLabel = "LIST",
      split = ",",
      description = "Only these of the plan's conditions (default: all; with --quick, most).")
  private List<String> conditions = List.of();

  @Option(
      names = "--systems",
      paramLabel = "LIST",
      split = ",",
      description = "Only these of the plan's systems (default: all).")
  private List<String> systems = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "COUNT",
      description =
          "How long each condition is measured, 1 to " + MAX_SECONDS + " (default: the plan's).")
  private Integer seconds;

  @Option(
      names = "--drive",
      paramLabel = "SETTING",
      description = "One of the plan's settings of the drive (default: the first).")
  private String drive;

  @Option(
      names = "--against",
      paramLabel = "DIRECTORY",
      description =
          "An unpacked release: each system with the agent is measured with daemons of it, too, as"
              + " SYSTEM-before, and compared. Clients and jobs are those of the built project.")
  private Path against;

  private final String plan;

  private PlanCommand(String plan) {
    this.plan = plan;
  }

  /** Adds a command for each plan that is shipped, and for each file that is among arguments. */
  static void addTo(CommandLine bench, List<String> arguments) {
    for (String plan : SHIPPED) {
      String[] words = plan.split("/", -1);
      CommandLine parent = bench;
      if (words.length == 2) {
        if (!bench.getSubcommands().containsKey(words[0])) {
          bench.addSubcommand(words[0], new PlansCommand());
        }
        parent = bench.getSubcommands().get(words[0]);
      }
      PlanCommand command = new PlanCommand(plan);
      CommandLine line = new CommandLine(command);
      line.getCommandSpec().usageMessage().description(command.describe());
      parent.addSubcommand(words[words.length - 1], line);
    }
    for (String argument : new LinkedHashSet<>(arguments)) {
      if (argument.matches(".+" + ENDING)) {
        bench.addSubcommand(argument, new PlanCommand(argument));
      }
    }
  }

  /** Plans of one subject. */
  @Command(description = "Plans of one subject.", mixinStandardHelpOptions = true)
  private static final class PlansCommand implements Runnable {

    @Spec private CommandSpec spec;

    @Override
    public void run() {
      throw new ParameterException(spec.commandLine(), "a plan is required");
    }
  }

  private String describe() {
    try {
      return read().description().replace("%", "%%");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isFile() {
    return !SHIPPED.contains(plan);
  }

  private Plan read() throws IOException {
    if (isFile()) {
      Path file = Path.of(plan);
      String name = file.getFileName().toString().replaceFirst(ENDING + "$", "");
      return PlanReader.read(name, plan, Files.readString(file));
    }
    try (InputStream in = PlanCommand.class.getResourceAsStream("/plans/" + plan + ".yaml")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return PlanReader.read(plan.replace('/', '-'), plan + ".yaml", text);
    }
  }

  @Override
  public Integer call() throws IOException {
    readAhead.requireKnown();
    if (seconds != null && (seconds < 1 || seconds > MAX_SECONDS)) {
      throw new ParameterException(
          spec.commandLine(), "--seconds must be 1 to " + MAX_SECONDS + ", not " + seconds);
    }
    Plan read;
    Choice choice;
    try {
      read = against == null ? read() : Against.of(read(), against);
      choice = choice(read);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } catch (NoSuchFileException e) {
      throw new ParameterException(spec.commandLine(), "there is no file " + plan, e);
    }
    options.named(
        read.name()
            + (choice.hasUsualDrive(read) ? "" : "-" + choice.drive())
            + (against == null ? "" : "-against"));
    return options.run(new PlanExperiment(read, choice, options.cluster()), true);
  }

  private Choice choice(Plan read) {
    Choice.Wish wish =
        new Choice.Wish(
            options.quick(),
            conditions,
            Against.withTwins(systems, read.systems()),
            Optional.ofNullable(seconds),
            Optional.ofNullable(drive));
    return Choice.of(read, wish, options.repetitions(options.quick() ? 1 : read.repetitions()));
  }
}
