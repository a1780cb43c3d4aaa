package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A virtual hard disk with ext4 on it. Needs root and as much memory as is written to it.
 *
 * <p>It is found by the directory's path alone, so a run that was killed can be cleaned up by
 * another process.
 */
public final class VirtualDisk implements Disk {

  /** The drive that all experiments use, calibrated against the tables of SDC 2021. */
  public static final String PRESET = "sdc21";

  private final Path directory;
  private final Vhdd vhdd;
  private final Path node;
  private final DeviceNumber device;

  private VirtualDisk(Path directory, Vhdd vhdd, Path node) throws IOException {
    this.directory = directory;
    this.vhdd = vhdd;
    this.node = node;
    this.device = DeviceNumber.ofNode(node);
  }

  static VirtualDisk create(Path directory, long bytes) throws IOException {
    try {
      Vhdd vhdd = Vhdd.of(directory);
      Path node = vhdd.create(bytes, PRESET, Map.of());
      VirtualDisk disk = new VirtualDisk(directory, vhdd, node);
      vhdd.loading(true);
      Ext4.make(node, directory, Ext4.singlePages());
      vhdd.loading(false);
      return disk;
    } catch (IOException | RuntimeException e) {
      try {
        remove(directory);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  static VirtualDisk open(Path directory) throws IOException {
    Vhdd vhdd = Vhdd.of(directory);
    Path node =
        vhdd.device()
            .orElseThrow(() -> new IOException("there is no virtual disk for " + directory));
    return new VirtualDisk(directory, vhdd, node);
  }

  static void remove(Path directory) throws IOException {
    Ext4.unmount(directory);
    Vhdd.of(directory).destroy();
    Files.deleteIfExists(directory);
  }

  /** The drive's controls. */
  public Vhdd vhdd() {
    return vhdd;
  }

  /** The block device. */
  public Path node() {
    return node;
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public Optional<DeviceNumber> device() {
    return Optional.of(device);
  }

  @Override
  public String description() {
    return "ext4 on " + node + " (" + device + "), virtual hard disk " + PRESET + " in memory";
  }

  @Override
  public void evictPageCache() throws IOException {
    PageCache.evict(directory);
  }

  @Override
  public void close() throws IOException {
    remove(directory);
  }
}
