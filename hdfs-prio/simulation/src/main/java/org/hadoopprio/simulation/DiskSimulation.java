// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.disktime.ServiceTimes;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.disktime.TenantCounters;
import org.hadoopprio.disktime.Turn;

/**
 * Readers of a rotating disk in virtual time, behind the {@link Disk} of a DataNode, or without
 * one. The same readers and disk give the same result each time.
 *
 * <p>For one run by one thread.
 */
public final class DiskSimulation {

  private static final long SEED = 7;

  /** Readers begin within this time. */
  private static final long BEGIN = 10 * Reader.MS;

  /**
   * So many seconds' worth of arrivals wait only if more arrive than the disk can read: no read is
   * held for as long.
   */
  private static final double MAX_BACKLOG_SECONDS = 15;

  /** The fewest reads that are a backlog. */
  private static final int MIN_BACKLOG = 100;

  /** So many are one at any rate: no disk answers them within those seconds. */
  private static final int MAX_BACKLOG = 3_000;

  /** The part of the calls, and how many, may be unanswered at the end: they wait or are held. */
  private static final double UNANSWERED = 0.03;

  private static final int SOME_UNANSWERED = 5;

  /** More steps in a second of virtual time, and the scheduler only polls. */
  private static final int MAX_STEPS = 100_000;

  final List<Reader> readers = new ArrayList<>();
  final Admission admission;

  private final DiskSettings settings;
  private final SimulatedDisk disk;

  /** How many reads of the disk the opening of a block's files takes, on average. */
  private final double meanOpens;

  private final Random random;
  private final PriorityQueue<SimulatedRead> due = new PriorityQueue<>();
  private final Map<SimulatedDisk.Request, SimulatedRead> atDisk = new HashMap<>();
  private boolean overloaded;

  /** A disk on which nothing is being read. */
  public DiskSimulation(DiskSettings settings, DiskModel disk) {
    this(settings, disk, true);
  }

  /** The same, which may be without a scheduler. */
  DiskSimulation(DiskSettings settings, DiskModel disk, boolean scheduled) {
    this(settings, disk, new Random(SEED), scheduled);
  }

  private DiskSimulation(DiskSettings settings, DiskModel model, Random random, boolean scheduled) {
    this(
        settings,
        new ModelledDisk(model, random),
        model.openMillis() / model.readMillis(),
        random,
        scheduled);
  }

  /**
   * Another disk on which nothing is being read; opening a file takes no read of it.
   *
   * @param seed of the times and places of reads
   * @param scheduled whether reads pass the DataNode's scheduler; otherwise they go to the disk as
   *     they come, as in stock Hadoop
   */
  public DiskSimulation(DiskSettings settings, SimulatedDisk disk, long seed, boolean scheduled) {
    this(settings, disk, 0, new Random(seed), scheduled);
  }

  /** The same; a read needs so many of the disk before, on average, to open its files. */
  DiskSimulation(
      DiskSettings settings,
      SimulatedDisk disk,
      double meanOpens,
      Random random,
      boolean scheduled) {
    this.settings = settings;
    this.disk = disk;
    this.meanOpens = meanOpens;
    this.random = random;
    this.admission = new Admission(settings, scheduled);
  }

  /**
   * A reader that reads sequentially without end.
   *
   * @param weight of its level, among others of its class
   */
  public StreamReader stream(DiskClass diskClass, double weight) {
    return added(new StreamReader(diskClass, weight, disk, random));
  }

  /** Short reads of which each comes when the one before is done. */
  ShortReader closed(DiskClass diskClass, double weight) {
    return open(diskClass, weight, 0);
  }

  /** Short reads that arrive at random times, independently of earlier ones. */
  public ShortReader open(DiskClass diskClass, double weight, double ratePerSecond) {
    return added(new ShortReader(diskClass, weight, ratePerSecond, disk, random));
  }

  private <R extends Reader> R added(R reader) {
    readers.add(reader);
    return reader;
  }

  /** What the DataNode would publish about this disk. */
  public ServiceTimes serviceTimes() {
    return admission.scheduler.serviceTimes();
  }

  /** The part of all time in which a tenant had the disk. */
  public double part(Tenant tenant) {
    TenantCounters its = counters(tenant);
    return its == null ? 0 : its.usedNanos() / (double) disk.now();
  }

  /** What a tenant has had; null if it has neither used the disk nor waited for it. */
  public TenantCounters counters(Tenant tenant) {
    return admission.counters.tenants().get(tenant);
  }

  /**
   * Whether more reads arrive than the disk can answer. Such a run may end early, and its latencies
   * only tell how long it was.
   */
  public boolean isOverloaded() {
    return overloaded;
  }

  /**
   * Reads for some seconds of virtual time, after 3 s that do not count.
   *
   * @return this
   */
  public DiskSimulation run(int seconds) {
    long end = Reader.RAMP + TimeUnit.SECONDS.toNanos(seconds);
    double backlog = MIN_BACKLOG;
    for (Reader reader : readers) {
      backlog += MAX_BACKLOG_SECONDS * reader.arrivalsPerSecond();
      due.add(reader.call((long) (random.nextDouble() * BEGIN)));
    }
    backlog = Math.min(backlog, MAX_BACKLOG);
    long steps = 0;
    while (disk.now() < end && !overloaded) {
      step();
      overloaded =
          admission.waiting() + atDisk.size() > backlog + readers.size()
              || ++steps > (long) MAX_STEPS * seconds;
    }
    for (Reader reader : readers) {
      overloaded |= reader.isLeftBehind(UNANSWERED, SOME_UNANSWERED);
    }
    return this;
  }

  /**
   * Goes to when the next read asks or is answered, or somebody's time has come to use the disk.
   */
  private void step() {
    long asks = due.isEmpty() ? Long.MAX_VALUE : due.peek().due;
    Optional<SimulatedDisk.Request> answered = disk.run(Math.min(asks, admission.due(disk.now())));
    long now = disk.now();
    if (answered.isPresent()) {
      complete(atDisk.remove(answered.get()));
    } else if (now == asks) {
      ask(due.remove());
    }
    admission.poll(now, this::send);
  }

  private void ask(SimulatedRead read) {
    Reader reader = read.reader;
    reader.following(read).ifPresent(due::add);
    if (reader.isCached(read)) {
      reader.answer(read);
      return;
    }
    read.place = reader.place();
    read.opens = reader.isSequential() ? 0 : opens();
    if (admission.ask(read, disk.now())) {
      send(read);
    }
  }

  private void send(SimulatedRead read) {
    Reader reader = read.reader;
    SimulatedDisk.Request request =
        new SimulatedDisk.Request(
            read.place, reader.requestBytes(), reader.diskClass, reader.isSequential(), read.due);
    atDisk.put(request, read);
    disk.read(request);
  }

  /** How many reads of the disk the opening of a block's files takes. */
  private int opens() {
    int whole = (int) meanOpens;
    return whole + (random.nextDouble() < meanOpens - whole ? 1 : 0);
  }

  private void complete(SimulatedRead read) {
    Reader reader = read.reader;
    if (read.opens > 0) {
      opened(read);
      return;
    }
    boolean goesOn = reader.goesOn(read);
    if (!goesOn) {
      reader.answer(read);
    }
    Turn turn = reader.stream() == null ? null : reader.stream().turn();
    admission.done(read, disk.now());
    boolean isOver = turn != null && turn.isUsedUp(settings);
    reader.next(read, goesOn, isOver).ifPresent(due::add);
  }

  /** One of the reads is done that open its files; what follows is elsewhere on the disk. */
  private void opened(SimulatedRead read) {
    read.opens--;
    read.place = read.reader.place();
    if (read.opens == 0) {
      admission.opened(read, disk.now());
    }
    send(read);
  }
}
