// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hadoopprio.linux.BlockDevice;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Mount;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.SysfsDevice;
import org.hadoopprio.tools.node.Volume;

/** Checks the DataNode's volumes: the file system of each and the devices below it. */
public final class VolumeCheck {

  private static final String CHECK = "volume";

  /** From here on the figures for kernels since 6.17 are nearer, below it those before. */
  private static final long FAR_AHEAD_KIB = 4096;

  private static final String MOVE =
      "move the directory to a local disk with ext4 or XFS and change dfs.datanode.data.dir";
  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
  private static final Set<String> TESTED = Set.of("ext4", "xfs");

  private final Host host;
  private final List<Mount> mounts;
  private final Report report;
  private final Map<Path, DiskOrder> orders;
  private final boolean since68;
  private final Map<String, SysfsDevice> disks = new LinkedHashMap<>();

  /** What volumes are on, without what that is made of. */
  private final Map<String, SysfsDevice> tops = new LinkedHashMap<>();

  private final Map<String, SysfsDevice> devices = new LinkedHashMap<>();

  /** Of all volumes of each disk. */
  private final Map<String, DiskOrder> ofDisks = new HashMap<>();

  /**
   * A check of volumes.
   *
   * @param mounts the mounts that the DataNode sees
   * @param orders who orders the requests of each volume; the kernel, if it is none of these
   */
  public VolumeCheck(Host host, List<Mount> mounts, Map<Path, DiskOrder> orders, Report report) {
    this.host = host;
    this.mounts = mounts;
    this.orders = orders;
    this.since68 =
        KernelVersion.parse(host.read("/proc/sys/kernel/osrelease").orElse(""))
            .map(version -> version.isAtLeast(6, 8))
            .orElse(true);
    this.report = report;
  }

  /** Checks the volumes, then each disk below them once. */
  public void run(List<Volume> volumes) {
    volumes.forEach(this::volume);
    for (SysfsDevice top : tops.values()) {
      top.found().ifPresent(this::layout);
    }
    for (SysfsDevice disk : disks.values()) {
      new DiskCheck(host, disk, ofDisks.get(disk.name()), report).run();
    }
  }

  /** The devices that the volumes are on, with those that they are made of. */
  public Collection<SysfsDevice> devices() {
    return devices.values();
  }

  private void volume(Volume volume) {
    String path = volume.path();
    Optional<Mount> found = Mount.of(mounts, host.real(path));
    if (found.isEmpty()) {
      report.skipped(
          CHECK, path, "the list of mounted file systems cannot be read", "run the doctor as root");
      return;
    }
    Mount mount = found.get();
    if (MEMORY.contains(mount.type())) {
      memory(volume, mount);
      return;
    }
    Optional<SysfsDevice> device = SysfsDevice.of(host, mount);
    if (device.isEmpty()) {
      report.problem(
          CHECK,
          path,
          "on "
              + mount.type()
              + " ("
              + mount.point()
              + "), which is on no disk that this host knows: priorities have no effect",
          MOVE);
      return;
    }
    onDevice(path, mount, device.get());
  }

  private void memory(Volume volume, Mount mount) {
    String text = "on " + mount.type() + " (" + mount.point() + "): in memory, on no disk";
    if (volume.isRamDisk()) {
      report.ok(CHECK, volume.path(), text + ", as [RAM_DISK] states");
    } else {
      report.problem(
          CHECK,
          volume.path(),
          text + ", and a restart of the host loses its data",
          MOVE + "; if memory is intended, write [RAM_DISK]" + volume.path());
    }
  }

  /** What the scheduler takes a device for, and how far the kernel reads ahead on it. */
  private void layout(BlockDevice device) {
    int heads = device.heads();
    String streams =
        device.layout() + ", for which " + heads + (heads == 1 ? " stream has" : " streams have");
    long kib = device.readAheadBytes(-1) >> 10;
    report.ok(
        "layout",
        device.name(),
        streams
            + " a turn at a time if it rotates; "
            + (kib < 0
                ? "its read-ahead is not known"
                : "the kernel reads "
                    + kib
                    + " KiB ahead on it, so of hadoop-prio's figures those of the column "
                    + (kib >= FAR_AHEAD_KIB ? "8192" : "128")
                    + " apply"));
  }

  private void onDevice(String path, Mount mount, SysfsDevice device) {
    tops.putIfAbsent(device.name(), device);
    device.stack().forEach(each -> devices.putIfAbsent(each.name(), each));
    DiskOrder order = orders.getOrDefault(Path.of(path).normalize(), DiskOrder.KERNEL);
    for (SysfsDevice disk : device.disks()) {
      disks.putIfAbsent(disk.name(), disk);
      ofDisks.merge(disk.name(), order, DiskOrder::and);
    }
    Map<String, Layer> layers = new LinkedHashMap<>();
    layers(device, false, layers);
    List<String> remarks = remarks(layers.values(), device);
    if (!TESTED.contains(mount.type())) {
      remarks.add("only ext4 and XFS are tested");
    }
    String text = mount.type() + " on " + device.name();
    Optional<Layer> loser = layers.values().stream().filter(Layer::losesPriority).findFirst();
    if (loser.isPresent() && order == DiskOrder.KERNEL) {
      report.problem(CHECK, path, text + ": " + String.join("; ", remarks), loser.get().remedy());
    } else if (loser.isPresent()) {
      remarks.add(order.withoutKernel());
      report.advice(CHECK, path, text + ": " + String.join("; ", remarks), loser.get().remedy());
    } else if (remarks.isEmpty()) {
      report.ok(CHECK, path, text);
    } else {
      report.advice(CHECK, path, text + ": " + String.join("; ", remarks), MOVE);
    }
  }

  /**
   * Collects the layers from a device down, by their names.
   *
   * @param internal whether LVM has made the device for a volume above it, which stands for both
   */
  private void layers(SysfsDevice device, boolean internal, Map<String, Layer> found) {
    if (!internal) {
      Layer.of(device, since68).ifPresent(layer -> found.putIfAbsent(device.name(), layer));
    }
    for (SysfsDevice part : device.parts()) {
      layers(part, device.isLogicalVolume() && part.isLogicalVolume(), found);
    }
  }

  private static List<String> remarks(Collection<Layer> layers, SysfsDevice device) {
    List<String> remarks = new ArrayList<>();
    if (!layers.isEmpty()) {
      StringBuilder kinds = new StringBuilder();
      layers.forEach(layer -> kinds.append(layer.what()).append(" over "));
      Set<String> disks = new LinkedHashSet<>();
      device.disks().forEach(disk -> disks.add(disk.name()));
      boolean isLoop = device.name().startsWith("loop");
      remarks.add(
          isLoop
              ? kinds.substring(0, kinds.length() - " over ".length())
              : kinds + String.join(", ", disks));
      layers.forEach(
          layer -> remarks.add((layers.size() == 1 ? "it " : layer.what() + " ") + layer.effect()));
      if (!isLoop) {
        remarks.add("the engine ncq cannot be used");
      }
    }
    if (device.isMemory()) {
      remarks.add("the disk is in memory");
    }
    return remarks;
  }
}
