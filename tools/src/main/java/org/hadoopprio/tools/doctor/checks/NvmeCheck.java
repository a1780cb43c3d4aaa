// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.SysfsDevice;

/**
 * Checks what a priority can do on an NVMe disk: its queues, the kernel's order before them, and
 * whether the drive takes commands by weights, for which there is the module {@code nvme-wrr}.
 *
 * <p>Whether a drive could is in its register CAP (field AMS). Sysfs does not show it, and a kernel
 * with CONFIG_IO_STRICT_DEVMEM, as Debian's are, lets no program map the registers of a drive that
 * is in use. So it is known only where the module has looked.
 */
final class NvmeCheck {

  private static final String CHECK = "nvme";
  private static final String PARAMETERS = "/sys/module/nvme/parameters/";
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** What mq-deadline has by default on drives with deep queues (blk_mq_init_sched). */
  private static final long DEFAULT_REQUESTS = 256;

  private static final long MANY_REQUESTS = 1024;

  private final Host host;
  private final SysfsDevice disk;
  private final DiskOrder order;
  private final Report report;

  /**
   * A check of one disk.
   *
   * @param order who orders the requests of its volumes
   */
  NvmeCheck(Host host, SysfsDevice disk, DiskOrder order, Report report) {
    this.host = host;
    this.disk = disk;
    this.order = order;
    this.report = report;
  }

  /** Does nothing for a disk that is none of NVMe's. */
  void run() {
    if (!disk.name().matches("nvme\\d+n\\d+")) {
      return;
    }
    Weighted weighted = weighted();
    report.ok(CHECK, disk.name(), queues() + "; weighted round robin: " + weighted.text);
    worth(weighted);
  }

  private String queues() {
    int queues = disk.list("mq").size();
    return queues == 0
        ? "its queues are not shown, as with native multipath, where they are those of the paths"
        : queues
            + (queues == 1 ? " hardware queue" : " hardware queues")
            + requests().map(n -> ", nr_requests " + n).orElse("");
  }

  private Optional<Long> requests() {
    return disk.read("queue/nr_requests").filter(text -> text.matches("\\d+")).map(Long::valueOf);
  }

  // --- the drive ----------------------------------------------------------------------------

  /** Whether the drive takes commands by weights. */
  private static final class Weighted {
    private final boolean on;
    private final String text;

    Weighted(boolean on, String text) {
      this.on = on;
      this.text = text;
    }
  }

  private Weighted weighted() {
    Optional<String> wanted = host.read(PARAMETERS + "wrr");
    if (wanted.isEmpty()) {
      return new Weighted(
          false,
          "off, this kernel's driver has none. Whether the drive has it (CAP.AMS) is not known:"
              + " sysfs does not show it");
    }
    if (!wanted.get().equals("Y")) {
      return new Weighted(
          false,
          "off, as by default in the module nvme-wrr (wrr=0). Whether the drive has it (CAP.AMS)"
              + " is not known: the module looks only with wrr=1");
    }
    return logged()
        .map(text -> new Weighted(text.startsWith("on,"), text + weights(text)))
        .orElseGet(
            () ->
                new Weighted(
                    false,
                    "wrr=1, but the kernel's log, which says whether the drive has it (CAP.AMS),"
                        + " cannot be read or has nothing of it any more"));
  }

  private String weights(String logged) {
    String forced =
        host.read(PARAMETERS + "wrr_force").orElse("").equals("Y")
            ? "; forced, so whether the drive has it (CAP.AMS) is not known"
            : "; the drive has it (CAP.AMS)";
    return logged.startsWith("on,")
        ? ", weights "
            + host.read(PARAMETERS + "wrr_weights").orElse("not known")
            + ", map "
            + host.read(PARAMETERS + "wrr_map").orElse("not known")
            + forced
        : "";
  }

  /** What the module has said last of this drive. */
  private Optional<String> logged() {
    String controller = disk.name().replaceFirst("n\\d+$", "");
    Pattern line = Pattern.compile("nvme " + controller + ": wrr: ((?:on|off), .*)");
    Optional<String> last = Optional.empty();
    Matcher matcher =
        line.matcher(host.run(LIMIT, "/bin/dmesg").map(Host.Ended::output).orElse(""));
    while (matcher.find()) {
      last = Optional.of(matcher.group(1));
    }
    return last;
  }

  // --- what a priority is worth -------------------------------------------------------------

  private void worth(Weighted weighted) {
    String scheduler = disk.scheduler();
    String first = "what a priority can do here: ";
    if (scheduler.equals("mq-deadline")) {
      mqDeadline(first);
    } else if (scheduler.equals("bfq")) {
      ok(first + "bfq orders the classes, and levels are shares, at a cost in reads a second");
    } else if (weighted.on) {
      ok(
          first
              + "the drive takes commands of urgent queues first and of the others by weights; what"
              + " it has taken already goes before");
    } else if (order == DiskOrder.DATANODE) {
      ok(first + "the DataNode orders its own reads and writes; nothing orders them below it");
    } else {
      ok(
          first
              + "nothing below the DataNode"
              + (order == DiskOrder.KERNEL ? ", whose mode order leaves it to the kernel" : "")
              + ": with "
              + (scheduler.isEmpty() ? "this scheduler" : scheduler)
              + " requests go to the drive as they come; see SSDs in docs/operations.md");
    }
  }

  private void mqDeadline(String first) {
    long requests = requests().orElse(DEFAULT_REQUESTS);
    String text =
        first
            + "mq-deadline orders the classes among nr_requests = "
            + requests
            + " requests; what is asked for beyond these waits in the order of arrival";
    if (requests < DEFAULT_REQUESTS) {
      report.advice(
          CHECK,
          disk.name(),
          text,
          "echo " + MANY_REQUESTS + " > /sys/block/" + disk.name() + "/queue/nr_requests");
    } else {
      ok(text);
    }
  }

  private void ok(String text) {
    report.ok(CHECK, disk.name(), text);
  }
}
