package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.hadoopprio.IoPriority;

/**
 * Readers of a rotating disk in virtual time, behind the real {@link VolumeScheduler}.
 *
 * <p>The drive knows no priority. It serves one request at a time and chooses the one with the
 * shortest positioning time among those it has; one that continues where its head is costs none.
 * Figures are those of a 7200 rpm drive: 160 MB/s, a random read of 56 KiB takes 11 ms on average.
 */
final class DiskSimulation {

  private static final long MS = 1_000_000;
  private static final double DISK_BYTES = 4e12;
  private static final double BYTES_PER_MS = 160_000;

  /** What the kernel reads ahead of a stream, and so a stream's request. */
  private static final int PIECE = 256 << 10;

  private static final int GET = 56 << 10;

  /** The time from the last byte of one read to the next read, in the client and on the network. */
  private static final long THINK = 2 * MS;

  /** One who reads. */
  final class Reader {
    final IoPriority priority;
    final boolean sequential;
    final double ratePerSecond;
    final List<Long> latencies = new ArrayList<>();
    long bytes;
    long longestWait;

    /** How long after a turn the client uses what was read ahead before it asks for more. */
    long digestion;

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

    double millis(double quantile) {
      Collections.sort(latencies);
      return latencies.isEmpty()
          ? Double.NaN
          : latencies.get((int) (latencies.size() * quantile)) / (double) MS;
    }

    double megabytesPerSecond() {
      return bytes / 1e6 / (END - RAMP) * 1e9;
    }
  }

  private static final class Read implements Comparable<Read> {
    final Reader reader;
    final long due;
    final Ticket ticket;
    double position;

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
  private static final long END = 63_000 * MS;

  final Random random = new Random(7);
  final List<Reader> readers = new ArrayList<>();
  final VolumeCounters counters = new VolumeCounters();

  private final SchedulerLimits limits;
  private final VolumeScheduler scheduler;

  /** Null for a disk without a scheduler. */
  private final boolean scheduled;

  private final PriorityQueue<Read> due = new PriorityQueue<>();
  private final List<Read> waiting = new ArrayList<>();
  private final List<Read> drive = new ArrayList<>();
  private Read served;
  private long servedUntil = Long.MAX_VALUE;
  private double head;
  private long now;

  DiskSimulation(SchedulerLimits limits, boolean scheduled) {
    this.limits = limits;
    this.scheduled = scheduled;
    this.scheduler = new VolumeScheduler(limits, 1, 0, counters, t -> {}, busy -> false);
  }

  Reader stream(IoPriority priority) {
    return new Reader(priority, true, 0);
  }

  Reader closed(IoPriority priority) {
    return new Reader(priority, false, 0);
  }

  Reader open(IoPriority priority, double ratePerSecond) {
    return new Reader(priority, false, ratePerSecond);
  }

  DiskSimulation run() {
    for (Reader reader : readers) {
      next(reader, (long) (random.nextDouble() * 10 * MS));
    }
    while (now < END) {
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
    }
    read.position = reader.sequential ? reader.position : random.nextDouble();
    if (!scheduled) {
      drive.add(read);
      return;
    }
    waiting.add(read);
    Ticket ticket = read.ticket;
    ticket.seenAt = now;
    ticket.place = (long) (read.position * DISK_BYTES);
    if (reader.isRealtime()) {
      scheduler.askRealtime(ticket, true, now);
    } else {
      scheduler.ask(ticket, now);
    }
  }

  private void admit() {
    for (Read read : List.copyOf(waiting)) {
      if (read.ticket.state == Ticket.State.IN) {
        waiting.remove(read);
        if (read.reader.isRealtime()) {
          scheduler.opened(read.ticket, now);
        }
        drive.add(read);
      }
    }
  }

  private void complete() {
    Read read = served;
    served = null;
    servedUntil = Long.MAX_VALUE;
    Reader reader = read.reader;
    int bytes = reader.sequential ? PIECE : GET;
    if (now > RAMP) {
      reader.bytes += bytes;
      reader.latencies.add(now - read.due);
      reader.longestWait = Math.max(reader.longestWait, now - Math.max(RAMP, reader.lastDone));
    }
    reader.lastDone = now;
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
      double cost = positioning(read.position) - (now - read.due) / (double) MS / 20;
      if (cost < least) {
        least = cost;
        nearest = read;
      }
    }
    drive.remove(nearest);
    served = nearest;
    int bytes = nearest.reader.sequential ? PIECE : GET;
    double millis = positioning(nearest.position) + bytes / BYTES_PER_MS;
    head = nearest.position + bytes / DISK_BYTES;
    servedUntil = now + (long) (millis * MS);
  }

  /** Seek and rotation, in milliseconds. */
  private double positioning(double position) {
    double distance = Math.abs(position - head);
    if (distance < 1e-9) {
      return 0;
    }
    double rotation = 8.33 * Math.abs((position * 1e6) % 1 - (now / (8.33 * MS)) % 1);
    return 1 + 9 * Math.sqrt(distance) + rotation;
  }
}
