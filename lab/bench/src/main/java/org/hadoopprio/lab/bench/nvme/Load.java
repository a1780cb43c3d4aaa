// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.lab.bench.experiment.EnumNames;

/** What applications ask of the drive. Each has a job on each of four cores. */
enum Load {
  /** Three applications, each with 64 reads under way on each core. */
  PUBLISHED,
  /** A foreground with 64 reads under way on each core. */
  ALONE,
  /** The same beside a background with as many. */
  BESIDE,
  /** Eight clients that read, think, and read again, beside a compaction; Gets are high. */
  GETS,
  /** The same with Gets in the urgent queues. */
  URGENT_GETS;

  static final String BEST_EFFORT = "best-effort";
  static final String NO_CLASS = "none";
  static final String IDLE = "idle";
  static final String FOREGROUND = "foreground";
  static final String BACKGROUND = "background";
  static final String GET = "get";
  static final String COMPACTION = "compaction";

  static final int CORES = 4;

  /** Of each job. */
  private static final int DEPTH = 64;

  private static final int GET_CLIENTS = 2;
  private static final double THINK_SECONDS = 100e-6;
  private static final int COMPACTION_DEPTH = 128;

  /** What an application does on each core. */
  private record Application(String name, QueueClass queueClass, int depth, double thinkSeconds) {}

  private List<Application> applications() {
    switch (this) {
      case PUBLISHED -> {
        return List.of(
            new Application(BEST_EFFORT, QueueClass.HIGH, DEPTH, 0),
            new Application(NO_CLASS, QueueClass.MEDIUM, DEPTH, 0),
            new Application(IDLE, QueueClass.LOW, DEPTH, 0));
      }
      case ALONE -> {
        return List.of(new Application(FOREGROUND, QueueClass.HIGH, DEPTH, 0));
      }
      case BESIDE -> {
        return List.of(
            new Application(FOREGROUND, QueueClass.HIGH, DEPTH, 0),
            new Application(BACKGROUND, QueueClass.LOW, DEPTH, 0));
      }
      case GETS -> {
        return gets(QueueClass.HIGH);
      }
      case URGENT_GETS -> {
        return gets(QueueClass.URGENT);
      }
    }
    throw new AssertionError(this);
  }

  private static List<Application> gets(QueueClass queueClass) {
    return List.of(
        new Application(GET, queueClass, GET_CLIENTS, THINK_SECONDS),
        new Application(COMPACTION, QueueClass.LOW, COMPACTION_DEPTH, 0));
  }

  /** The name in results. */
  String id() {
    return EnumNames.text(this);
  }

  static Load of(String id) {
    Optional<Load> named = Arrays.stream(values()).filter(l -> l.id().equals(id)).findFirst();
    return named.orElseThrow(() -> new IllegalArgumentException("no load " + id));
  }

  /** How many reads of it are under way at most. */
  int depth() {
    return applications().stream().mapToInt(application -> CORES * application.depth).sum();
  }

  List<Job> jobs(Queues.OfCores queues) {
    List<Job> jobs = new ArrayList<>();
    for (Application each : applications()) {
      for (int core = 0; core < CORES; core++) {
        SubmissionQueue queue = queues.queue(core, each.queueClass);
        jobs.add(new Job(each.name, queue, each.depth, each.thinkSeconds));
      }
    }
    return jobs;
  }
}
