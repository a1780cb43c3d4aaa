package org.hadoopprio.hdfs.datanode.share;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Simulates a rotating disk under mq-deadline in virtual time, behind the real {@link
 * DiskTimeGate}. Its readers request the next read as soon as they have the last one; some are
 * real-time, the others are scans.
 *
 * <p>The host sends a lower class's request to the drive only while no real-time one is
 * outstanding, and at most {@link #TAGS} in total. The drive serves one request at a time, urgent
 * ones first, and chooses among equally urgent ones by seek time. Service times are those of a 7200
 * rpm drive: a random read takes 11 ms alone and less if the drive can choose among more; a request
 * of a scan takes longer after one of another class.
 */
final class SimulatedDisk {

  /** The result of a run. */
  static final class Result {
    /** 95th percentile of the real-time readers' cycle: think time, pause, waiting and service. */
    final double p95Millis;

    final double backgroundRate;

    private Result(List<Long> nanos, int backgroundRequests) {
      long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
      p95Millis = sorted.length == 0 ? Double.NaN : millis(sorted[(int) (sorted.length * 0.95)]);
      backgroundRate = backgroundRequests / (double) SECONDS;
    }

    @Override
    public String toString() {
      return String.format("p95 %.1f ms, background %.1f/s", p95Millis, backgroundRate);
    }
  }

  private static final class Request {
    final boolean realtime;
    final long asked;
    long begun;
    long arrival;

    Request(boolean realtime, long asked) {
      this.realtime = realtime;
      this.asked = asked;
    }
  }

  private static final int TAGS = 32;
  private static final int SECONDS = 120;
  private static final long END = TimeUnit.SECONDS.toNanos(SECONDS);

  /** The time from the last byte of one read to the next read, in the client and on the network. */
  private static final double THINK_MILLIS = 2;

  private static final long NEVER = Long.MAX_VALUE;

  private final Random random = new Random(7);
  private final boolean priorities;
  private final int scans;
  private final DiskTimeGate gate;

  private final PriorityQueue<Long> thinking = new PriorityQueue<>();
  private final List<Request> paused = new ArrayList<>();
  private final List<Request> hostRealtime = new ArrayList<>();
  private final List<Request> hostBackground = new ArrayList<>();
  private final List<Request> drive = new ArrayList<>();
  private final List<Long> latencies = new ArrayList<>();

  private long now;
  private Request served;
  private long servedAt = NEVER;
  private boolean afterRealtime;
  private int realtimeOutstanding;
  private int backgroundRequests;

  private SimulatedDisk(boolean priorities, double share, int readers, int scans) {
    this.priorities = priorities;
    this.scans = scans;
    this.gate = new DiskTimeGate(share, 0);
    for (int i = 0; i < readers; i++) {
      thinking.add(nanos(THINK_MILLIS * random.nextDouble()));
    }
    for (int i = 0; i < scans; i++) {
      hostBackground.add(new Request(false, 0));
    }
  }

  /** Real-time readers beside scans, limited to a share. */
  static Result limited(double share, int readers, int scans) {
    return new SimulatedDisk(true, share, readers, scans).run();
  }

  /** The same readers without priorities. */
  static Result stock(int readers, int scans) {
    return new SimulatedDisk(false, RealtimeShare.ALL, readers, scans).run();
  }

  private static long nanos(double millis) {
    return (long) (millis * 1e6);
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }

  private Result run() {
    while (now < END) {
      long due = paused.isEmpty() ? NEVER : now + Math.max(1, gate.untilDue(now));
      long asks = thinking.isEmpty() ? NEVER : thinking.peek();
      now = Math.min(servedAt, Math.min(due, asks));
      if (now == servedAt) {
        complete();
      } else if (now == asks) {
        thinking.remove();
        ask(new Request(true, now));
      }
      openGate();
      dispatch();
      serve();
    }
    return new Result(latencies, backgroundRequests);
  }

  private void ask(Request request) {
    request.arrival = priorities ? gate.arrive(now, scans > 0) : DiskTimeGate.ADMITTED;
    if (request.arrival == DiskTimeGate.ADMITTED) {
      admit(request);
    } else {
      paused.add(request);
    }
  }

  private void admit(Request request) {
    request.begun = now;
    gate.enter();
    realtimeOutstanding++;
    hostRealtime.add(request);
  }

  private void openGate() {
    gate.openIfDue(now, scans > 0);
    for (Request request : List.copyOf(paused)) {
      if (gate.hasOpenedSince(request.arrival)) {
        paused.remove(request);
        admit(request);
      }
    }
  }

  private void complete() {
    if (served.realtime) {
      gate.leave(served.begun, now, true);
      realtimeOutstanding--;
      latencies.add(now - served.asked + nanos(THINK_MILLIS));
      thinking.add(now + nanos(THINK_MILLIS));
    } else {
      gate.completed(now);
      backgroundRequests++;
      hostBackground.add(new Request(false, now));
    }
    afterRealtime = served.realtime;
    served = null;
    servedAt = NEVER;
  }

  private void dispatch() {
    while (drive.size() < TAGS && !next().isEmpty()) {
      drive.add(next().remove(0));
    }
  }

  private List<Request> next() {
    if (priorities) {
      return realtimeOutstanding > 0 ? hostRealtime : hostBackground;
    }
    boolean realtimeFirst =
        !hostRealtime.isEmpty()
            && (hostBackground.isEmpty()
                || hostRealtime.get(0).asked < hostBackground.get(0).asked);
    return realtimeFirst ? hostRealtime : hostBackground;
  }

  private void serve() {
    if (served != null || drive.isEmpty()) {
      return;
    }
    Request[] urgent = drive.stream().filter(r -> r.realtime).toArray(Request[]::new);
    Request[] choice = priorities && urgent.length > 0 ? urgent : drive.toArray(Request[]::new);
    served = choice[random.nextInt(choice.length)];
    drive.remove(served);
    servedAt = now + nanos(serviceMillis(choice.length));
  }

  private double serviceMillis(int choice) {
    double spread = random.nextDouble();
    if (served.realtime) {
      return 11 * Math.pow(choice, -0.33) * (0.5 + spread);
    }
    return afterRealtime ? 6 + 8 * spread : 3 + 4 * spread;
  }

  /** The results of runs with several shares, for messages. */
  static String table(int readers, int scans, double... shares) {
    StringBuilder out = new StringBuilder("alone: " + limited(RealtimeShare.ALL, readers, 0));
    out.append("\nstock: ").append(stock(readers, scans));
    for (double share : shares) {
      out.append("\n").append(share).append(": ").append(limited(share, readers, scans));
    }
    return out.toString();
  }
}
