// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hadoopprio.linux.ProcessRights;

/** A DataNode's or RegionServer's process as procfs shows it (proc(5)). Immutable. */
public final class DaemonProcess {

  private static final Pattern UNIT = Pattern.compile("/([^/]+\\.service)(/|$)", Pattern.MULTILINE);

  private final Host host;
  private final long pid;
  private final DaemonRole role;

  private DaemonProcess(Host host, long pid, DaemonRole role) {
    this.host = host;
    this.pid = pid;
    this.role = role;
  }

  /**
   * Finds all daemons of this host; of a DataNode under jsvc only the child process, which does the
   * work.
   */
  public static List<DaemonProcess> find(Host host) {
    List<DaemonProcess> found = new ArrayList<>();
    for (String name : host.list("/proc")) {
      if (name.matches("\\d+")) {
        of(host, Long.parseLong(name)).ifPresent(found::add);
      }
    }
    Set<String> parents =
        found.stream().map(p -> p.rights().field("PPid").orElse("")).collect(Collectors.toSet());
    found.removeIf(process -> parents.contains(Long.toString(process.pid)));
    return found;
  }

  /** The daemon with a process id; empty if there is no such process or it is something else. */
  public static Optional<DaemonProcess> of(Host host, long pid) {
    List<String> arguments =
        List.of(host.read("/proc/" + pid + "/cmdline").orElse("").split("\0", -1));
    for (DaemonRole role : DaemonRole.values()) {
      if (arguments.stream().anyMatch(role::hasMainClass)) {
        return Optional.of(new DaemonProcess(host, pid, role));
      }
    }
    return Optional.empty();
  }

  /**
   * The daemon that serves these pages; empty if this host does not show it.
   *
   * @throws IOException if it does not answer
   */
  public static Optional<DaemonProcess> at(Host host, DaemonPages pages) throws IOException {
    JsonNode name = pages.jmx("java.lang:type=Runtime").path(0).path("Name");
    String pid = name.asText().replaceAll("@.*", "");
    return pid.matches("\\d{1,18}") ? of(host, Long.parseLong(pid)) : Optional.empty();
  }

  public long pid() {
    return pid;
  }

  public DaemonRole role() {
    return role;
  }

  private Optional<String> file(String name) {
    return host.read("/proc/" + pid + "/" + name);
  }

  /**
   * Where a file of the process is; in a container its root directory is another than this
   * process's.
   *
   * @param absolute the path as the process sees it
   */
  public Path path(String absolute) {
    Path own = host.path("/proc/" + pid + "/root" + absolute);
    return Files.exists(own) ? own : host.path(absolute);
  }

  /** What the kernel lets it do. */
  public ProcessRights rights() {
    return new ProcessRights(file("status").orElse(""), file("uid_map"));
  }

  /** Its groups, a line for each hierarchy (cgroups(7)); empty if they may not be read. */
  public Optional<String> cgroups() {
    return file("cgroup");
  }

  /** The systemd unit that it belongs to. */
  public Optional<String> unit() {
    Matcher matcher = UNIT.matcher(cgroups().orElse(""));
    String unit = null;
    while (matcher.find()) {
      unit = matcher.group(1);
    }
    return Optional.ofNullable(unit);
  }

  /** An environment variable; also empty if this process may not read it. */
  public Optional<String> variable(String name) {
    for (String entry : file("environ").orElse("").split("\0", -1)) {
      if (entry.startsWith(name + "=")) {
        return Optional.of(entry.substring(name.length() + 1));
      }
    }
    return Optional.empty();
  }

  /** The file systems that it sees; empty if this process may not read them. */
  public List<Mount> mounts() {
    return Mount.parse(file("mountinfo").orElse(""));
  }

  @Override
  public String toString() {
    return role.label() + " " + pid;
  }
}
