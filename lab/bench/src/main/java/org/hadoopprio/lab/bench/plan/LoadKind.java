// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.workload.RandomMultiGets;
import org.hadoopprio.lab.workload.RandomOutputs;
import org.hadoopprio.lab.workload.RandomPuts;
import org.hadoopprio.lab.workload.RandomReaders;
import org.hadoopprio.lab.workload.SequentialReaders;

/** The kinds of load that a plan can name. */
@SuppressWarnings("ImmutableEnumChecker") // the lists come from List.of
enum LoadKind {
  /** Synced Puts into a table. */
  RANDOM_PUTS(RandomPuts.class),
  /** Several rows of a table at a time. */
  RANDOM_MULTI_GETS(RandomMultiGets.class),
  /** Outputs at a rate, each of several reads of files. */
  RANDOM_OUTPUTS(RandomOutputs.class, "in_time_per_s"),
  /** Positioned reads of files. */
  RANDOM_READERS(RandomReaders.class),
  /** Files read from begin to end. */
  SEQUENTIAL_READERS(SequentialReaders.class),

  /** Files read from begin to end, again and again. */
  STREAMS(
      List.of(StreamsLoad.DIRECTORY, StreamsLoad.STREAMS),
      List.of(
          ClientLoad.PRIORITY,
          Tenants.PARAMETER,
          StreamsLoad.DROP_BEHIND,
          StreamsLoad.BYTES_PER_SECOND,
          StreamsLoad.IONICE),
      StreamsLoad.FIGURES),

  /** Files written again and again. */
  WRITERS(
      List.of(StreamsLoad.DIRECTORY, StreamsLoad.STREAMS, StreamsLoad.BYTES),
      List.of(ClientLoad.PRIORITY, Tenants.PARAMETER, StreamsLoad.IONICE),
      StreamsLoad.FIGURES),

  /** Hadoop's wordcount of text, again and again, by YARN. */
  WORDCOUNT(List.of(JobLoad.DIRECTORY), JobLoad.OPTIONAL, List.of()) {
    @Override
    RunningLoad start(RunningLoad.Start start) throws IOException {
      return new JobLoad(start);
    }
  },

  /** HBase's RowCounter of a table, likewise. */
  ROW_COUNTER(List.of(JobLoad.TABLE), JobLoad.OPTIONAL, List.of()) {
    @Override
    RunningLoad start(RunningLoad.Start start) throws IOException {
      return new JobLoad(start);
    }
  },

  /** Major compactions of a table of one region, one after the other. */
  COMPACTIONS(List.of(CompactionsLoad.TABLE), List.of(), CompactionsLoad.FIGURES) {
    @Override
    RunningLoad start(RunningLoad.Start start) throws IOException {
      return new CompactionsLoad(start);
    }
  };

  private final Class<?> client;
  private final List<String> required;
  private final List<String> optional;
  private final List<String> figures;

  LoadKind(Class<?> client, String... more) {
    this.client = client;
    this.required = ClientLoad.required(client);
    this.optional = ClientLoad.optional(client);
    this.figures = ClientLoad.figures(more);
  }

  LoadKind(List<String> required, List<String> optional, List<String> figures) {
    this.client = null;
    this.required = required;
    this.optional = optional;
    this.figures = figures;
  }

  /** All names, as a plan has them. */
  static List<String> names() {
    return EnumSet.allOf(LoadKind.class).stream().map(EnumNames::text).collect(Collectors.toList());
  }

  /** The names of what it measures. */
  List<String> figures() {
    return figures;
  }

  /** The parameters that it has to have. */
  List<String> required() {
    return required;
  }

  List<String> optional() {
    return optional;
  }

  /** Whether it is a job on YARN. */
  boolean isJob() {
    return this == WORDCOUNT || this == ROW_COUNTER;
  }

  /**
   * Checks the values of parameters.
   *
   * @throws BadParameter saying what is allowed
   */
  void check(Map<String, String> parameters) {
    if (client != null) {
      ClientLoad.check(client, parameters);
    } else {
      StreamsLoad.check(parameters);
    }
  }

  RunningLoad start(RunningLoad.Start start) throws IOException {
    return client != null ? ClientLoad.start(client, start) : StreamsLoad.start(start);
  }
}
