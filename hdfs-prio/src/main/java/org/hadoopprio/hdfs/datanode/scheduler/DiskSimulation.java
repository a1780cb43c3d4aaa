package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.IoPriority;
import org.hadoopprio.metrics.ServiceTimes;

/**
 * Readers of a rotating disk in virtual time, behind the {@link VolumeScheduler} of a DataNode.
 *
 * <p>The drive knows no priority. It serves one request at a time and chooses the one with the
 * shortest positioning time among those it has; one that continues where its head is costs none.
 * {@link DiskModel} says how long each takes. The same readers give the same result each time.
 *
 * <p>For one run by one thread.
 */
public final class DiskSimulation {

  private static final long MS = 1_000_000;
  private static final double DISK_BYTES = 4e12;

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

    /** The part of its reads whose data is in the page cache. */
    private double cached;

    private int arrived;
    private final Stream stream;
    private double position;
    private long lastDone;

    Reader(IoPriority priority, boolean sequential, double ratePerSecond) {
      this.priority = priority;
      this.sequential = sequential;
      this.ratePerSecond = ratePerSecond;
      this.stream = sequential ? new Stream() : null;
      this.position = random.nextDouble();
      readers.add(this);
    }

    private boolean isRealtime() {
      return priority.ioClass() == org.hadoopprio.IoClass.REALTIME;
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

  private static final class Read implements Comparable<Read> {
    final Reader reader;
    final long due;
    final Ticket ticket;
    double position;

    /** How many reads of the disk it needs before its data, to open its files. */
    int opens;

    Read(Reader reader, long due, Ticket ticket) {
      this.reader = reader;
      this.due = due;
      this.ticket = ticket;
    }

    @Override
    public int compareTo(Read other) {
      return Long.compare(due, other.due);
    }
  }

  private static final long RAMP = 3_000 * MS;

  final Random random = new Random(7);
  final List<Reader> readers = new ArrayList<>();
  final VolumeCounters counters = new VolumeCounters();

  private final SchedulerLimits limits;
  private final DiskModel disk;
  private final VolumeScheduler scheduler;

  /** Null for a disk without a scheduler. */
  private final boolean scheduled;

  private final PriorityQueue<Read> due = new PriorityQueue<>();
  private final Map<Ticket, Read> waiting = new HashMap<>();
  private final List<Ticket> granted = new ArrayList<>();
  private final List<Read> drive = new ArrayList<>();
  private Read served;
  private long servedUntil = Long.MAX_VALUE;
  private double head;
  private long now;
  private boolean overloaded;

  /** A disk on which nothing is being read. */
  public DiskSimulation(SchedulerLimits limits, DiskModel disk) {
    this(limits, disk, true);
  }

  /** The same, which may be without a scheduler. */
  DiskSimulation(SchedulerLimits limits, DiskModel disk, boolean scheduled) {
    this.limits = limits;
    this.disk = disk;
    this.scheduled = scheduled;
    this.scheduler = new VolumeScheduler(limits, 1, 0, counters, granted::add, busy -> false);
  }

  /** A reader that reads sequentially without end; its priority must not be real-time. */
  public Reader stream(IoPriority priority) {
    return new Reader(priority, true, 0);
  }

  Reader closed(IoPriority priority) {
    return new Reader(priority, false, 0);
  }

  /** Short reads that arrive at random times, independently of earlier ones. */
  public Reader open(IoPriority priority, double ratePerSecond) {
    return new Reader(priority, false, ratePerSecond);
  }

  /**
   * The same, of which some are answered from the page cache at once.
   *
   * @param cached their part, 0 to 1
   */
  public Reader open(IoPriority priority, double ratePerSecond, double cached) {
    Reader reader = open(priority, ratePerSecond);
    reader.cached = cached;
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
    while (now < end && !overloaded) {
      long asks = due.isEmpty() ? Long.MAX_VALUE : due.peek().due;
      long polls =
          scheduled && scheduler.isAnyWaiting() ? now + scheduler.untilDue(now) : Long.MAX_VALUE;
      now = Math.min(servedUntil, Math.min(asks, polls));
      if (now == servedUntil) {
        complete();
      } else if (now == asks) {
        ask(due.remove());
      }
      if (scheduled) {
        scheduler.poll(now);
      }
      admit();
      serve();
      overloaded = waiting.size() + drive.size() > backlog + readers.size();
    }
    for (Reader reader : readers) {
      int unanswered = reader.arrived - reader.answered();
      overloaded |= reader.ratePerSecond > 0 && unanswered > UNANSWERED * reader.arrived + 5;
    }
    return this;
  }

  private void next(Reader reader, long at) {
    Ticket ticket = new Ticket(reader.priority, limits.weight(reader.priority), reader.stream);
    ticket.setTarget(reader.priority, 0, at);
    due.add(new Read(reader, at, ticket));
  }

  private void ask(Read read) {
    Reader reader = read.reader;
    if (reader.ratePerSecond > 0) {
      long gap = (long) (-Math.log(1 - random.nextDouble()) / reader.ratePerSecond * 1e9);
      next(reader, now + gap);
      reader.arrived += now > RAMP ? 1 : 0;
      if (reader.cached > 0 && random.nextDouble() < reader.cached) {
        answer(read, DiskModel.READ_BYTES);
        return;
      }
    }
    read.position = reader.sequential ? reader.position : random.nextDouble();
    read.opens = reader.sequential ? 0 : opens();
    if (!scheduled) {
      drive.add(read);
      return;
    }
    Ticket ticket = read.ticket;
    waiting.put(ticket, read);
    ticket.seenAt = now;
    ticket.place = (long) (read.position * DISK_BYTES);
    if (reader.isRealtime()) {
      if (scheduler.askRealtime(ticket, true, now)) {
        granted.add(ticket);
      }
    } else {
      scheduler.ask(ticket, now);
    }
  }

  /** How many reads of the disk the opening of a block's files takes. */
  private int opens() {
    double mean = disk.openMillis() / disk.readMillis();
    int whole = (int) mean;
    return whole + (random.nextDouble() < mean - whole ? 1 : 0);
  }

  private void admit() {
    for (Ticket ticket : granted) {
      // One that was held may be granted while it asks, and so be in the list twice.
      Read read = waiting.remove(ticket);
      if (read != null) {
        if (read.reader.isRealtime() && read.opens == 0) {
          scheduler.opened(ticket, now);
        }
        drive.add(read);
      }
    }
    granted.clear();
  }

  private void complete() {
    Read read = served;
    served = null;
    servedUntil = Long.MAX_VALUE;
    Reader reader = read.reader;
    if (read.opens > 0) {
      opened(read);
      return;
    }
    int bytes = reader.sequential ? PIECE : DiskModel.READ_BYTES;
    answer(read, bytes);
    reader.position = head;
    Turn turn = reader.sequential ? reader.stream.turn : null;
    if (scheduled) {
      read.ticket.read(bytes);
      if (reader.isRealtime()) {
        scheduler.realtimeDone(read.ticket, now);
      } else {
        scheduler.done(read.ticket, now);
      }
    }
    if (reader.ratePerSecond == 0) {
      next(reader, now + (reader.sequential ? digestion(turn, reader) : THINK));
    }
  }

  /** One of the reads is done that open its files; what follows is elsewhere on the disk. */
  private void opened(Read read) {
    read.opens--;
    read.position = random.nextDouble();
    if (scheduled && read.reader.isRealtime() && read.opens == 0) {
      scheduler.opened(read.ticket, now);
    }
    drive.add(read);
  }

  private void answer(Read read, int bytes) {
    Reader reader = read.reader;
    if (now > RAMP) {
      reader.bytes += bytes;
      reader.latencies.add(now - read.due);
      reader.longestWait = Math.max(reader.longestWait, now - Math.max(RAMP, reader.lastDone));
    }
    reader.lastDone = now;
  }

  private long digestion(Turn turn, Reader reader) {
    boolean over =
        turn != null && (turn.usedNanos >= limits.turnNanos() || turn.bytes >= limits.turnBytes());
    return MS / 20 + (over ? reader.digestion : 0);
  }

  private void serve() {
    if (served != null || drive.isEmpty()) {
      return;
    }
    Read nearest = null;
    double least = Double.MAX_VALUE;
    for (Read read : drive) {
      // Reads that have been in the drive for long are preferred, as drives do.
      double cost = positioning(read) - (now - read.due) / (double) MS / 20;
      if (cost < least) {
        least = cost;
        nearest = read;
      }
    }
    drive.remove(nearest);
    served = nearest;
    int bytes = nearest.reader.sequential ? PIECE : DiskModel.READ_BYTES;
    double millis = positioning(nearest) + disk.transferMillis(bytes);
    if (disk.extraMillis() > 0 && !nearest.reader.sequential) {
      millis -= Math.log(1 - random.nextDouble()) * disk.extraMillis();
    }
    head = nearest.position + bytes / DISK_BYTES;
    servedUntil = now + (long) (millis * MS);
  }

  /** Seek and rotation, in milliseconds. */
  private double positioning(Read read) {
    return disk.positioningMillis(head, read.position, read.reader.sequential, now);
  }
}
