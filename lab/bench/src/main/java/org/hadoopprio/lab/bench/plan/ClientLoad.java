// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.workload.MeasuredClient;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A client process whose latency is measured. Its parameters are the options of the client's class;
 * a flag is {@code true} or {@code false}.
 */
final class ClientLoad implements RunningLoad {

  /** An option of some clients; the environment of the others. */
  static final String PRIORITY = "priority";

  private static final List<String> LATENCIES =
      List.of(
          "reads",
          "reads_per_s",
          "mb_per_s",
          "never_begun",
          "mean_ms",
          "p50_ms",
          "p95_ms",
          "p99_ms",
          "p999_ms",
          "max_ms");

  /** An option of some clients: a key of Hadoop's configuration and its value. */
  private static final String CONF = "conf";

  private static final String SEED = "seed";
  private static final String SECONDS = "seconds";

  /** What the runner states itself. */
  private static final List<String> OWN =
      List.of("help", "version", "start-file", "report", SECONDS, SEED);

  private final MeasuredClient client;
  private final String command;

  private ClientLoad(MeasuredClient client, String command) {
    this.client = client;
    this.command = command;
  }

  /** The names of what a client measures. */
  static List<String> figures(String... more) {
    List<String> figures = new ArrayList<>(LATENCIES);
    figures.addAll(List.of(more));
    return figures;
  }

  private static CommandLine line(Class<?> type) {
    return new CommandLine(type)
        .registerConverter(IoPriority.class, IoPriority::parse)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static Map<String, OptionSpec> options(Class<?> type) {
    Map<String, OptionSpec> options = new LinkedHashMap<>();
    for (OptionSpec option : line(type).getCommandSpec().options()) {
      options.put(option.longestName().substring("--".length()), option);
    }
    return options;
  }

  /** The parameters that a client has to have. */
  static List<String> required(Class<?> type) {
    return options(type).entrySet().stream()
        .filter(option -> option.getValue().required() && !OWN.contains(option.getKey()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  /** The others. */
  static List<String> optional(Class<?> type) {
    List<String> optional = new ArrayList<>(options(type).keySet());
    optional.removeAll(OWN);
    optional.removeAll(required(type));
    if (!optional.contains(PRIORITY) && !required(type).contains(PRIORITY)) {
      optional.add(PRIORITY);
    }
    if (options(type).containsKey(CONF)) {
      optional.add(Tenants.PARAMETER);
    }
    return optional;
  }

  /** See {@link LoadKind#check}. */
  static void check(Class<?> type, Map<String, String> parameters) {
    List<String> arguments = arguments(type, parameters);
    arguments.addAll(List.of("--start-file=x", "--report=x", "--seconds=1"));
    try {
      line(type).parseArgs(arguments.toArray(new String[0]));
    } catch (CommandLine.ParameterException e) {
      String name = e.getArgSpec() instanceof OptionSpec option ? option.longestName() : "";
      throw new BadParameter(name.replaceFirst("--", ""), e.getMessage());
    }
    if (!options(type).containsKey(PRIORITY)) {
      checkPriority(parameters);
    }
    Tenants.check(parameters);
  }

  /** Checks the priority that a process states, if any. */
  static void checkPriority(Map<String, String> parameters) {
    try {
      Optional.ofNullable(parameters.get(PRIORITY)).ifPresent(IoPriority::parse);
    } catch (IllegalArgumentException e) {
      throw new BadParameter(PRIORITY, e.getMessage());
    }
  }

  private static List<String> arguments(Class<?> type, Map<String, String> parameters) {
    Map<String, OptionSpec> options = options(type);
    List<String> arguments = new ArrayList<>();
    parameters.forEach(
        (name, value) -> {
          OptionSpec option = options.get(name);
          boolean flag = option != null && option.arity().max() == 0;
          if (flag && !List.of("true", "false").contains(value)) {
            throw new BadParameter(
                name, "\"" + value + "\" for " + name + "; allowed: true, false");
          }
          if (option != null && !value.equals("false")) {
            arguments.add(flag ? "--" + name : "--" + name + "=" + value);
          }
        });
    return arguments;
  }

  static ClientLoad start(Class<?> type, Start start) throws IOException {
    List<String> arguments = arguments(type, start.parameters());
    Tenants.ofClient(start.parameters())
        .forEach((key, value) -> arguments.add("--" + CONF + "=" + key + "=" + value));
    arguments.add("--" + SECONDS + "=" + start.seconds());
    if (options(type).containsKey(SEED)) {
      arguments.add("--" + SEED + "=" + start.seed());
    }
    ClientCommand command = start.cluster().client(type, arguments.toArray(new String[0]));
    if (!start.daemons().agent()) {
      command.agentClassesOnly();
    }
    String priority = start.parameters().get(PRIORITY);
    if (priority != null && !options(type).containsKey(PRIORITY)) {
      command.env(CurrentPriority.ENVIRONMENT_VARIABLE, priority);
    }
    String text = command.toText();
    return new ClientLoad(
        MeasuredClient.start(start.name(), command, start.logs(), start.id()), text);
  }

  @Override
  public List<String> commands() {
    return List.of(command);
  }

  @Override
  public boolean isReady() throws IOException {
    return client.isReady();
  }

  @Override
  public void begin(long from, long to) throws IOException {
    client.beginAt(from);
  }

  @Override
  public void requireAlive() throws IOException {
    client.requireAlive();
  }

  @Override
  public JsonNode figures(long from, long to) throws IOException {
    return client.result();
  }

  @Override
  public void close() {
    client.close();
  }
}
