package org.hadoopprio.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks the DataNode's volumes: the file system of each and the devices below it. */
final class VolumeCheck {

  private static final String CHECK = "volume";
  private static final String MOVE =
      "move the directory to a local disk with ext4 or XFS and change dfs.datanode.data.dir";
  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
  private static final Set<String> TESTED = Set.of("ext4", "xfs");

  private final Host host;
  private final List<Mount> mounts;
  private final Report report;
  private final Set<Path> inTurns;
  private final Map<String, BlockDevice> disks = new LinkedHashMap<>();
  private final Map<String, BlockDevice> devices = new LinkedHashMap<>();

  /** The disks with a volume whose reads do not take turns. */
  private final Set<String> withoutTurns = new HashSet<>();

  /**
   * A check of volumes.
   *
   * @param mounts the mounts that the DataNode sees
   * @param inTurns the volumes whose reads take turns in the DataNode
   */
  VolumeCheck(Host host, List<Mount> mounts, Set<Path> inTurns, Report report) {
    this.host = host;
    this.mounts = mounts;
    this.inTurns = inTurns;
    this.report = report;
  }

  /** Checks the volumes, then each disk below them once. */
  void run(List<Volume> volumes) {
    volumes.forEach(this::volume);
    for (BlockDevice disk : disks.values()) {
      new DiskCheck(host, disk, !withoutTurns.contains(disk.name()), report).run();
    }
  }

  /** The devices that the volumes are on, with those that they are made of. */
  Collection<BlockDevice> devices() {
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
    Optional<BlockDevice> device = BlockDevice.of(host, mount);
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

  private void onDevice(String path, Mount mount, BlockDevice device) {
    device.stack().forEach(each -> devices.putIfAbsent(each.name(), each));
    List<BlockDevice> below = device.disks();
    for (BlockDevice disk : below) {
      disks.putIfAbsent(disk.name(), disk);
      if (!inTurns.contains(Path.of(path).normalize())) {
        withoutTurns.add(disk.name());
      }
    }
    List<String> remarks = new ArrayList<>();
    if (!device.layer().isEmpty()) {
      remarks.add(layer(device));
    }
    if (device.isMemory()) {
      remarks.add("the disk is in memory");
    }
    if (!TESTED.contains(mount.type())) {
      remarks.add("only ext4 and XFS are tested");
    }
    String text = mount.type() + " on " + device.name();
    if (remarks.isEmpty()) {
      report.ok(CHECK, path, text);
    } else {
      report.advice(CHECK, path, text + ": " + String.join("; ", remarks), MOVE);
    }
  }

  private static String layer(BlockDevice device) {
    String layer = device.layer();
    if (device.name().startsWith("loop")) {
      return layer + ", for tests only: priorities order its requests, not those of the disk below";
    }
    StringBuilder names = new StringBuilder();
    device.disks().forEach(d -> names.append(names.length() == 0 ? "" : ", ").append(d.name()));
    return layer
        + " over "
        + names
        + ": priorities reach the disk only if the device mapper or RAID passes them on, and the"
        + " engine ncq cannot be used";
  }
}
