package org.hadoopprio.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The DataNode's volumes: the file system and the devices below each. */
final class VolumeCheck {

  private static final String CHECK = "volume";
  private static final String MOVE =
      "put the directory on a local disk with ext4 or XFS and change dfs.datanode.data.dir";
  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
  private static final Set<String> TESTED = Set.of("ext4", "xfs");

  private final Host host;
  private final List<Mount> mounts;
  private final Report report;
  private final Map<String, BlockDevice> disks = new LinkedHashMap<>();

  /**
   * A check of volumes.
   *
   * @param mounts what the DataNode sees
   */
  VolumeCheck(Host host, List<Mount> mounts, Report report) {
    this.host = host;
    this.mounts = mounts;
    this.report = report;
  }

  /** Looks at the volumes, then at each disk below them once. */
  void run(List<Volume> volumes) {
    volumes.forEach(this::volume);
    for (BlockDevice disk : disks.values()) {
      new DiskCheck(host, disk, report).run();
    }
  }

  private void volume(Volume volume) {
    String path = volume.path();
    Optional<Mount> found = Mount.of(mounts, host.real(path));
    if (found.isEmpty()) {
      report.advice(CHECK, path, "the mounted file systems cannot be read", "run it as root");
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
              + "), with no disk below that this host knows: no priority has an effect",
          MOVE);
      return;
    }
    onDevice(path, mount, device.get());
  }

  private void memory(Volume volume, Mount mount) {
    String text = "on " + mount.type() + " (" + mount.point() + "): in memory, below it is no disk";
    if (volume.isRamDisk()) {
      report.ok(CHECK, volume.path(), text + ", as [RAM_DISK] says");
    } else {
      report.problem(
          CHECK,
          volume.path(),
          text + ", and a restart of the host loses it",
          MOVE + "; where memory is meant write [RAM_DISK]" + volume.path());
    }
  }

  private void onDevice(String path, Mount mount, BlockDevice device) {
    List<BlockDevice> below = device.disks();
    below.forEach(disk -> disks.putIfAbsent(disk.name(), disk));
    List<String> remarks = new ArrayList<>();
    if (!device.layer().isEmpty()) {
      remarks.add(layer(device));
    }
    if (device.isMemory()) {
      remarks.add("a disk in memory");
    }
    if (!TESTED.contains(mount.type())) {
      remarks.add("tested are ext4 and XFS");
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
      return layer + ", good for tests: priorities order its requests, not those of the disk below";
    }
    StringBuilder names = new StringBuilder();
    device.disks().forEach(d -> names.append(names.length() == 0 ? "" : ", ").append(d.name()));
    return layer
        + " over "
        + names
        + ": priorities go through as far as the device mapper or RAID keeps them, and reads as NCQ"
        + " commands (pbs) are not possible";
  }
}
