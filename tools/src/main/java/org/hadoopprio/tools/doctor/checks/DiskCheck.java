// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import java.util.Optional;
import org.hadoopprio.linux.NcqPriority;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.SysfsDevice;

/** Checks one disk: its I/O scheduler, and the drive's support for priorities. */
final class DiskCheck {

  private static final String CHECK = "io-scheduler";

  /** Below this value, mq-deadline serves lower classes so often that real-time latency suffers. */
  private static final long SHORT_AGING_MS = 1_000;

  /** More writes at the drive than these make a read wait for longer than a stream does. */
  private static final long MOST_WRITES = 8;

  private final Host host;
  private final SysfsDevice disk;
  private final DiskOrder order;
  private final Report report;
  private final String sysfs;

  /**
   * A check of one disk.
   *
   * @param order who orders the requests of its volumes
   */
  DiskCheck(Host host, SysfsDevice disk, DiskOrder order, Report report) {
    this.host = host;
    this.disk = disk;
    this.order = order;
    this.report = report;
    this.sysfs = "/sys/block/" + disk.name() + "/";
  }

  void run() {
    ioScheduler();
    writeCache();
    ncq();
    new CdlCheck(host, disk, report).run();
    new NvmeCheck(host, disk, order, report).run();
  }

  private String echo(Object value, String file) {
    return "echo " + value + " > " + sysfs + file;
  }

  private void ioScheduler() {
    Optional<String> offered = disk.read("queue/scheduler");
    if (offered.isEmpty()) {
      report.skipped(
          CHECK,
          disk.name(),
          "this host does not show its queue",
          "run the doctor on the host itself");
      return;
    }
    String active = disk.scheduler();
    switch (active) {
      case "mq-deadline":
        mqDeadline();
        break;
      case "bfq":
        report.ok(CHECK, disk.name(), "bfq, which orders by class and level");
        break;
      default:
        unordered(active, offered.get());
        break;
    }
  }

  private void unordered(String active, String offered) {
    StringBuilder remedy = new StringBuilder();
    if (!offered.contains("mq-deadline")) {
      remedy.append("modprobe mq-deadline && ");
    }
    remedy.append(echo("mq-deadline", "queue/scheduler"));
    boolean rotates = !"0".equals(disk.read("queue/rotational").orElse("1"));
    unordered(
        active + ", which does not order requests by priority",
        rotates ? "" : "; the disk does not rotate and may not need it",
        remedy.toString());
  }

  private void unordered(String text, String excuse, String remedy) {
    if (order != DiskOrder.KERNEL) {
      report.advice(CHECK, disk.name(), text + "; " + order.withoutKernel(), remedy);
    } else if (excuse.isEmpty()) {
      report.problem(CHECK, disk.name(), text, remedy);
    } else {
      report.advice(CHECK, disk.name(), text + excuse, remedy);
    }
  }

  private void mqDeadline() {
    String release = host.read("/proc/sys/kernel/osrelease").orElse("");
    Optional<KernelVersion> kernel = KernelVersion.parse(release);
    if (!kernel.map(v -> v.isAtLeast(5, 14)).orElse(true)) {
      unordered(
          "mq-deadline, which orders by priority only since Linux 5.14",
          "",
          echo("bfq", "queue/scheduler"));
      return;
    }
    if (!kernel.map(v -> v.isAtLeast(6, 0)).orElse(true)) {
      // "block: Always initialize bio IO priority on submit", block/blk-core.c.
      report.advice(
          CHECK,
          disk.name(),
          "mq-deadline; before Linux 6.0 it does not see the priority of reads through the page"
              + " cache, unless the distribution has backported that. It does see that of engine"
              + " direct",
          echo("bfq", "queue/scheduler"));
    }
    writeback();
    String file = "queue/iosched/prio_aging_expire";
    Optional<Long> aging = number(file);
    if (aging.isEmpty()) {
      report.advice(
          CHECK,
          disk.name(),
          "mq-deadline without prio_aging_expire: real-time reads can starve all other requests,"
              + " writes included",
          "use a kernel that has it (Linux 5.17 or later)");
    } else if (aging.get() < SHORT_AGING_MS) {
      report.advice(
          CHECK,
          disk.name(),
          "mq-deadline; prio_aging_expire is "
              + aging.get()
              + " ms, so lower classes are often served before real-time",
          echo(10_000, file));
    } else {
      report.ok(
          CHECK,
          disk.name(),
          "mq-deadline, prio_aging_expire "
              + aging.get()
              + " ms; it orders the classes rt, be and idle, not their levels"
              + (order == DiskOrder.DATANODE ? ", which are weights in the DataNode's turns" : ""));
    }
  }

  /** Of a rotating disk, where each write takes milliseconds (block/mq-deadline.c, blk-wbt.c). */
  private void writeback() {
    if ("0".equals(disk.read("queue/rotational").orElse("1"))) {
      return;
    }
    // Linux 7.0 has moved it from the scheduler's directory to the queue's.
    String file = "queue/async_depth";
    Optional<Long> depth = number(file);
    if (depth.isEmpty()) {
      file = "queue/iosched/async_depth";
      depth = number(file);
    }
    Optional<Long> throttled = number("queue/wbt_lat_usec");
    boolean off = throttled.filter(micros -> micros == 0).isPresent();
    if (depth.isPresent() && depth.get() > MOST_WRITES) {
      report.advice(
          "writeback",
          disk.name(),
          "mq-deadline lets "
              + depth.get()
              + " writes be under way at a time (async_depth): what the kernel writes back on its"
              + " own can fill the drive's queue, and a real-time read that comes then waits for"
              + " 0.1 s and more"
              + throttled.map(DiskCheck::throttling).orElse(""),
          echo(4, file));
    } else if (depth.isEmpty() && off) {
      report.advice(
          "writeback",
          disk.name(),
          "wbt_lat_usec is 0, and this kernel's mq-deadline has no async_depth: nothing limits what"
              + " the kernel writes back on its own",
          echo(-1, "queue/wbt_lat_usec"));
    }
  }

  /**
   * A FLUSH CACHE has the drive write out all that it has cached, whoever has written it (ACS-4,
   * FLUSH CACHE EXT), and the kernel sends one with each commit of a file system's journal.
   */
  private void writeCache() {
    boolean rotates = !"0".equals(disk.read("queue/rotational").orElse("1"));
    if (rotates && disk.read("queue/write_cache").orElse("").equals("write back")) {
      report.advice(
          "write-cache",
          disk.name(),
          "the drive caches writes: beside copies of replicas and compactions an urgent read or sync"
              + " waits until it has written them out, up to half a second. Where such latency"
              + " matters more than the speed of small writes, switch its cache off",
          disk.name().startsWith("sd")
              ? "echo 'write through' | tee " + sysfs + "device/scsi_disk/*/cache_type"
              : "");
    }
  }

  private static String throttling(long micros) {
    return micros == 0
        ? "; the kernel's writeback throttling is off (wbt_lat_usec is 0)"
        : "; the kernel's writeback throttling reacts only when reads take more than "
            + micros / 1_000
            + " ms (wbt_lat_usec)";
  }

  private Optional<Long> number(String file) {
    return disk.read(file).filter(text -> text.matches("\\d+")).map(Long::valueOf);
  }

  private void ncq() {
    NcqPriority ncq = NcqPriority.of(disk::read);
    if (ncq.isSupported().isEmpty() && ncq.isEnabled().isEmpty()) {
      report.ok(
          "ncq", disk.name(), "not a SATA disk, or this kernel does not support NCQ priority");
    } else if (ncq.isEnabled().orElse(false)) {
      report.ok(
          "ncq",
          disk.name(),
          "NCQ priority is on: the drive gets real-time reads as high priority");
    } else if (!ncq.isSupported().orElse(true)) {
      report.ok(
          "ncq", disk.name(), "the drive has no NCQ priority: only the host's queue is ordered");
    } else {
      boolean limited = "1".equals(disk.read("device/cdl_enable").orElse(""));
      String cdlOff = limited ? echo(0, "device/cdl_enable") + " && " : "";
      report.advice(
          "ncq",
          disk.name(),
          "the drive supports NCQ priority, but it is off: the drive's queue is not ordered",
          cdlOff + echo(1, ncq.enableFile()));
    }
    if (ncq.isSupported().isPresent() && "1".equals(disk.read("device/queue_depth").orElse(""))) {
      report.advice(
          "ncq", disk.name(), "queue_depth is 1: NCQ is off", echo(32, "device/queue_depth"));
    }
  }
}
