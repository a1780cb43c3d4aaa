// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * A drive in virtual time that takes reads from submission queues, and the jobs that put them
 * there. A number of commands is inside at a time; they are served in the order in which they were
 * taken, one each 1/rate seconds. So arbitration decides when a command is taken, and about nothing
 * after that. For one run.
 */
final class NvmeDrive {

  /** What an application got. */
  static final class Answers {
    private final DescriptiveStatistics seconds = new DescriptiveStatistics();

    long count() {
      return seconds.getN();
    }

    /** A percentile of the time from submission to answer, in microseconds; NaN without answers. */
    double micros(double percent) {
      return seconds.getPercentile(percent) * 1e6;
    }
  }

  /** A job's next read. */
  private record Arrival(double at, long number, Job job) {}

  private final Arbiter arbiter;
  private final int mostInside;
  private final double serviceSeconds;
  private final Random random;
  private final ArrayDeque<Command> inside = new ArrayDeque<>();
  private final PriorityQueue<Arrival> arrivals =
      new PriorityQueue<>(
          Comparator.comparingDouble(Arrival::at).thenComparingLong(Arrival::number));
  private final Map<String, Answers> answers = new LinkedHashMap<>();
  private double now;
  private double warmUp;
  private double nextAnswer;
  private long number;

  /**
   * A drive with nothing to do.
   *
   * @param mostInside how many commands are inside at most, 1 or more
   * @param rate reads in a second
   */
  NvmeDrive(Arbiter arbiter, int mostInside, double rate, long seed) {
    this.arbiter = arbiter;
    this.mostInside = mostInside;
    this.serviceSeconds = 1 / rate;
    this.random = new Random(seed);
  }

  /**
   * Serves jobs.
   *
   * @param warmUpSeconds after which answers count
   * @param seconds for which they count
   * @return by application, in the order of the jobs
   */
  Map<String, Answers> run(List<Job> jobs, double warmUpSeconds, double seconds) {
    warmUp = warmUpSeconds;
    for (Job job : jobs) {
      answers.putIfAbsent(job.application(), new Answers());
      for (int i = 0; i < job.depth(); i++) {
        arrive(job);
      }
    }
    while (step(warmUpSeconds + seconds)) {
      take();
    }
    return answers;
  }

  /** Goes to the next event; false if it is after the end. */
  private boolean step(double end) {
    double answered = inside.isEmpty() ? Double.POSITIVE_INFINITY : nextAnswer;
    double arrived = arrivals.isEmpty() ? Double.POSITIVE_INFINITY : arrivals.peek().at;
    now = Math.min(answered, arrived);
    if (now >= end) {
      return false;
    }
    if (arrived <= answered) {
      Job job = arrivals.remove().job();
      job.queue().add(new Command(job, now));
    } else {
      answer(inside.remove());
      nextAnswer = now + serviceSeconds;
    }
    return true;
  }

  /** Fills the drive up, as far as there are commands. */
  private void take() {
    while (inside.size() < mostInside) {
      Command command = arbiter.next();
      if (command == null) {
        return;
      }
      if (inside.isEmpty()) {
        nextAnswer = now + serviceSeconds;
      }
      inside.add(command);
    }
  }

  private void answer(Command command) {
    if (now >= warmUp) {
      answers.get(command.job().application()).seconds.addValue(now - command.submitted());
    }
    arrive(command.job());
  }

  private void arrive(Job job) {
    double think =
        job.thinkSeconds() == 0 ? 0 : -job.thinkSeconds() * Math.log(1 - random.nextDouble());
    arrivals.add(new Arrival(now + think, number++, job));
  }
}
