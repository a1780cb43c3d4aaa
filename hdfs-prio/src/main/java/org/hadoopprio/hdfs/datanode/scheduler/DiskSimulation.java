// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.DeviceQueue;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.disktime.ServiceTimes;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.disktime.Turn;

/**
 * Readers of a rotating disk in virtual time, behind the {@link Disk} of a DataNode, or without
 * one. The same readers and disk give the same result each time.
 *
 * <p>For one run by one thread.
 */
public final class DiskSimulation {

  private static final long MS = 1_000_000;
  private static final long BLOCK = 4096;
  private static final long SEED = 7;

  /** What the kernel reads ahead of a stream, and so a stream's request. */
  private static final int PIECE = 256 << 10;

  /** The time from the last byte of one read to the next read, in the client and on the network. */
  private static final long THINK = 2 * MS;

  /**
   * So many seconds' worth of arrivals wait only if more arrive than the disk can read: no read is
   * held for as long ({@link HeldReads#MAX_HOLD_NANOS}).
   */
  private static final double MAX_BACKLOG_SECONDS = 15;

  /** The fewest reads that are a backlog. */
  private static final int MIN_BACKLOG = 100;

  /** So many are one at any rate: no disk answers them within those seconds. */
  private static final int MAX_BACKLOG = 3_000;

  /** The part of the reads that may be unanswered at the end because they wait or are held. */
  private static final double UNANSWERED = 0.03;

  /** More steps in a second of virtual time, and the scheduler only polls. */
  private static final int MAX_STEPS = 100_000;

  /** One who reads. */
  public final class Reader {
    final IoPriority priority;
    final boolean sequential;
    final double ratePerSecond;
    final List<Long> latencies = new ArrayList<>();
    long bytes;
    long longestWait;

    /** How long after a turn the client uses what was read ahead before it asks for more. */
    long digestion;

    /** Whether it passes no scheduler, as whoever has waited for too long. */
    boolean isOutside;

    /** The part of its reads whose data is in the page cache. */
    private double cached;

    /** The part of its calls that need two reads. */
    private double twice;

    /** How many reads follow the first one of a call, each when the client has the one before. */
    int following;

    /** How many more than follow are said to. */
    int exaggerated;

    /** The time from the last byte of one read to the next read. */
    long think = THINK;

    /** Whether it syncs, which the disk does as a short read. */
    boolean syncs;

    private int arrived;
    final Stream stream;

    /** Where a stream reads on, in bytes. */
    private long position;

    /** A stream's request, in bytes. */
    private int piece = PIECE;

    /** The mean time from one of them to the next; 0 for that within a DataNode. */
    private long meanPause;

    long lastDone;

    Reader(IoPriority priority, boolean sequential, double ratePerSecond) {
      this.priority = priority;
      this.sequential = sequential;
      this.ratePerSecond = ratePerSecond;
      this.stream = sequential && !isRealtime() ? new Stream() : null;
      this.position = anywhere(PIECE);
      readers.add(this);
    }

    private boolean isRealtime() {
      return priority.ioClass() == org.hadoopprio.IoClass.REALTIME;
    }

    private boolean isRealtimeStream() {
      return sequential && isRealtime();
    }

    /** Where a stream's next request is; it begins again where the disk ends. */
    private long goOn() {
      long place = position;
      position = place + 2L * piece > disk.bytes() ? 0 : place + piece;
      return place;
    }

    /** What it states. */
    public IoPriority priority() {
      return priority;
    }

    /** The reads that were answered. */
    public int answered() {
      return latencies.size();
    }

    /**
     * A quantile of the time from a read's arrival to its end, in milliseconds; NaN if none has
     * ended.
     */
    public double millis(double quantile) {
      Collections.sort(latencies);
      return latencies.isEmpty()
          ? Double.NaN
          : latencies.get((int) (latencies.size() * quantile)) / (double) MS;
    }

    /** The mean of the same time, in milliseconds; NaN if none has ended. */
    public double meanMillis() {
      return latencies.stream().mapToLong(Long::longValue).average().orElse(Double.NaN) / MS;
    }

    /** The part of its reads that ended after their latency target; 0 without one. */
    public double latePart() {
      long target = TimeUnit.MILLISECONDS.toNanos(priority.targetMillis());
      long late = priority.hasTarget() ? latencies.stream().filter(n -> n > target).count() : 0;
      return late / (double) Math.max(1, latencies.size());
    }

    /** What it has read, in MB/s. */
    public double megabytesPerSecond() {
      return bytes / 1e6 / (Math.max(now, RAMP + 1) - RAMP) * 1e9;
    }
  }

  private static final long RAMP = 3_000 * MS;

  final Random random;
  final List<Reader> readers = new ArrayList<>();
  final DiskCounters counters = new DiskCounters();

  private final SchedulerLimits limits;
  private final SimulatedDisk disk;

  /** How many reads of the disk the opening of a block's files takes, on average. */
  private final double meanOpens;

  private final Disk scheduler;

  private final boolean scheduled;

  private final PriorityQueue<SimulatedRead> due = new PriorityQueue<>();
  private final Map<Ticket, SimulatedRead> waiting = new HashMap<>();
  private final List<Claim> granted = new ArrayList<>();
  private final Map<SimulatedDisk.Request, SimulatedRead> atDisk = new HashMap<>();
  private long readAheadBytes = DeviceQueue.USUAL_READ_AHEAD_BYTES;
  private long now;
  private boolean overloaded;

  private final DeviceQueue device =
      new DeviceQueue() {
        @Override
        public boolean hasOthers(int realtimeParts) {
          return false;
        }

        @Override
        public long readAheadBytes() {
          return readAheadBytes;
        }
      };

  /** A disk on which nothing is being read. */
  public DiskSimulation(SchedulerLimits limits, DiskModel disk) {
    this(limits, disk, true);
  }

  /** The same, which may be without a scheduler. */
  DiskSimulation(SchedulerLimits limits, DiskModel disk, boolean scheduled) {
    this(limits, disk, new Random(SEED), scheduled);
  }

  private DiskSimulation(
      SchedulerLimits limits, DiskModel model, Random random, boolean scheduled) {
    this(
        limits,
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
  public DiskSimulation(SchedulerLimits limits, SimulatedDisk disk, long seed, boolean scheduled) {
    this(limits, disk, 0, new Random(seed), scheduled);
  }

  /** The same; a read needs so many of the disk before, on average, to open its files. */
  DiskSimulation(
      SchedulerLimits limits,
      SimulatedDisk disk,
      double meanOpens,
      Random random,
      boolean scheduled) {
    this.limits = limits;
    this.disk = disk;
    this.meanOpens = meanOpens;
    this.random = random;
    this.scheduled = scheduled;
    this.scheduler = new Disk(limits.disk(), 1, 0, counters, granted::add, device);
  }

  /** What the kernel of the simulated machine reads ahead. */
  void setReadAhead(long bytes) {
    readAheadBytes = bytes;
  }

  /** A reader that reads sequentially without end; its priority must not be real-time. */
  public Reader stream(IoPriority priority) {
    return new Reader(priority, true, 0);
  }

  /**
   * The same with other requests than those that a DataNode makes in a turn: what a kernel reads
   * ahead, or a part of a real-time read.
   *
   * @param bytes of a request
   * @param meanPauseNanos from the answer to a request to the next one, on average (exponentially
   *     distributed): the reader wakes up and comes to where the kernel reads on
   */
  public Reader stream(IoPriority priority, int bytes, long meanPauseNanos) {
    Reader reader = stream(priority);
    reader.piece = bytes;
    reader.meanPause = meanPauseNanos;
    return reader;
  }

  Reader closed(IoPriority priority) {
    return new Reader(priority, false, 0);
  }

  /** Short reads that arrive at random times, independently of earlier ones. */
  public Reader open(IoPriority priority, double ratePerSecond) {
    return new Reader(priority, false, ratePerSecond);
  }

  /**
   * The same, of which some are answered from the page cache at once, and some need a second read,
   * which nobody has predicted, when the client has the first one.
   *
   * @param cached the part of the former, 0 to 1
   * @param twice the part of the latter among the others, 0 to 1
   */
  public Reader open(IoPriority priority, double ratePerSecond, double cached, double twice) {
    Reader reader = open(priority, ratePerSecond);
    reader.cached = cached;
    reader.twice = twice;
    return reader;
  }

  /** What the DataNode would publish about this disk. */
  public ServiceTimes serviceTimes() {
    return scheduler.serviceTimes();
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
    long end = RAMP + TimeUnit.SECONDS.toNanos(seconds);
    double backlog = MIN_BACKLOG;
    for (Reader reader : readers) {
      backlog += MAX_BACKLOG_SECONDS * reader.ratePerSecond * (1 - reader.cached);
      next(reader, (long) (random.nextDouble() * 10 * MS));
    }
    backlog = Math.min(backlog, MAX_BACKLOG);
    long steps = 0;
    while (now < end && !overloaded) {
      long asks = due.isEmpty() ? Long.MAX_VALUE : due.peek().due;
      long polls =
          scheduled && scheduler.isAnyWaiting() ? now + scheduler.untilDue(now) : Long.MAX_VALUE;
      Optional<SimulatedDisk.Request> answered = disk.run(Math.min(asks, polls));
      now = disk.now();
      if (answered.isPresent()) {
        complete(atDisk.remove(answered.get()));
      } else if (now == asks) {
        ask(due.remove());
      }
      if (scheduled) {
        scheduler.poll(now);
      }
      admit();
      overloaded =
          waiting.size() + atDisk.size() > backlog + readers.size()
              || ++steps > (long) MAX_STEPS * seconds;
    }
    for (Reader reader : readers) {
      int unanswered = reader.arrived - reader.answered();
      overloaded |= reader.ratePerSecond > 0 && unanswered > UNANSWERED * reader.arrived + 5;
    }
    return this;
  }

  private void next(Reader reader, long at) {
    plan(reader, at, at, reader.following);
  }

  /** A read that asks at a time, for a call that has come before; so many follow it. */
  private void plan(Reader reader, long at, long since, int following) {
    Ticket ticket = new Ticket(reader.priority, limits.weight(reader.priority), reader.stream);
    if (reader.isRealtimeStream()) {
      ticket.setContinues(true);
      ticket.setParts(Math.max(1, reader.piece / PIECE));
    }
    if (reader.syncs) {
      ticket.setSyncs();
    }
    ticket.setTarget(reader.priority, following + reader.exaggerated, since);
    SimulatedRead read = new SimulatedRead(reader, at, since, ticket);
    read.following = following;
    due.add(read);
  }

  private void ask(SimulatedRead read) {
    Reader reader = read.reader;
    if (reader.ratePerSecond > 0 && !read.isSecond()) {
      long gap = (long) (-Math.log(1 - random.nextDouble()) / reader.ratePerSecond * 1e9);
      next(reader, now + gap);
      reader.arrived += now > RAMP ? 1 : 0;
      if (reader.cached > 0 && random.nextDouble() < reader.cached) {
        answer(read, DiskModel.READ_BYTES);
        return;
      }
    }
    read.place = reader.sequential ? reader.goOn() : anywhere(DiskModel.READ_BYTES);
    read.opens = reader.sequential ? 0 : opens();
    if (!scheduled || reader.isOutside) {
      send(read);
      return;
    }
    Ticket ticket = read.ticket;
    waiting.put(ticket, read);
    ticket.setPlace(read.place);
    if (reader.isRealtime()) {
      if (scheduler.askRealtime(ticket, !reader.sequential, now)) {
        granted.add(ticket);
      }
    } else {
      scheduler.ask(ticket, now);
    }
  }

  /** A place for so many bytes. */
  private long anywhere(int bytes) {
    long blocks = (disk.bytes() - bytes) / BLOCK;
    long block = (long) (random.nextDouble() * blocks);
    return block * BLOCK;
  }

  private void send(SimulatedRead read) {
    Reader reader = read.reader;
    SimulatedDisk.Request request =
        new SimulatedDisk.Request(
            read.place, bytes(reader), reader.priority, reader.sequential, read.due);
    atDisk.put(request, read);
    disk.read(request);
  }

  private static int bytes(Reader reader) {
    return reader.sequential ? reader.piece : DiskModel.READ_BYTES;
  }

  /** How many reads of the disk the opening of a block's files takes. */
  private int opens() {
    int whole = (int) meanOpens;
    return whole + (random.nextDouble() < meanOpens - whole ? 1 : 0);
  }

  private void admit() {
    for (Claim ticket : granted) {
      // One that was held may be granted while it asks, and so be in the list twice.
      SimulatedRead read = waiting.remove(ticket);
      if (read != null) {
        if (read.reader.isRealtime() && !read.reader.sequential && read.opens == 0) {
          scheduler.opened(ticket, now);
        }
        send(read);
      }
    }
    granted.clear();
  }

  private void complete(SimulatedRead read) {
    Reader reader = read.reader;
    if (read.opens > 0) {
      opened(read);
      return;
    }
    int bytes = bytes(reader);
    boolean goesOn = read.following > 0 || hasSecond(read);
    if (!goesOn) {
      answer(read, bytes);
    }
    Turn turn = reader.stream == null ? null : reader.stream.turn();
    if (scheduled && !reader.isOutside) {
      read.ticket.read(bytes);
      if (reader.isRealtimeStream()) {
        scheduler.sends(read.ticket, now);
      } else if (reader.isRealtime()) {
        scheduler.realtimeDone(read.ticket, now);
      } else {
        scheduler.done(read.ticket, now);
      }
    }
    if (scheduled && reader.isRealtimeStream()) {
      long at = now + digestion(null, reader);
      due.add(new SimulatedRead(reader, at, at, read.ticket));
    } else if (goesOn) {
      plan(reader, now + reader.think, read.since, Math.max(0, read.following - 1));
    } else if (reader.ratePerSecond == 0) {
      next(reader, now + (reader.sequential ? digestion(turn, reader) : reader.think));
    }
  }

  private boolean hasSecond(SimulatedRead read) {
    return read.reader.twice > 0 && !read.isSecond() && random.nextDouble() < read.reader.twice;
  }

  /** One of the reads is done that open its files; what follows is elsewhere on the disk. */
  private void opened(SimulatedRead read) {
    read.opens--;
    read.place = anywhere(DiskModel.READ_BYTES);
    if (scheduled && read.reader.isRealtime() && read.opens == 0) {
      scheduler.opened(read.ticket, now);
    }
    send(read);
  }

  private void answer(SimulatedRead read, int bytes) {
    Reader reader = read.reader;
    if (now > RAMP) {
      reader.bytes += bytes;
      reader.latencies.add(now - read.since);
      reader.longestWait = Math.max(reader.longestWait, now - Math.max(RAMP, reader.lastDone));
    }
    reader.lastDone = now;
  }

  private long digestion(Turn turn, Reader reader) {
    boolean over = turn != null && turn.isUsedUp(limits.disk());
    double pause =
        reader.meanPause == 0 ? MS / 20.0 : -Math.log(1 - random.nextDouble()) * reader.meanPause;
    return (long) pause + (over ? reader.digestion : 0);
  }
}
