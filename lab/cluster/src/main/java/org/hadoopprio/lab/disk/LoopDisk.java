// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A disk made of a sparse image file, a loop device and ext4. Needs root.
 *
 * <p>The image's path alone is enough to find and remove all of it, so a run that was killed can be
 * cleaned up by another process.
 */
final class LoopDisk extends DeviceDisk {

  private static final String SCHEDULER = RequestQueue.MQ_DEADLINE;

  private final Path image;

  private LoopDisk(Path image, Path directory, Path node) throws IOException {
    super(directory, node);
    this.image = image;
  }

  /**
   * Creates the image, the loop device and the file system, and mounts it; after a failure nothing
   * is left. It is as fast as what holds its image and no model of a disk, so by default it has the
   * old read-ahead on any kernel, unless {@link ReadAhead#PROPERTY} asks for another.
   *
   * @param settings with the disk's size; the image file takes room only as it fills
   */
  static LoopDisk create(Path image, Path directory, DiskSettings settings) throws IOException {
    return make(() -> createParts(image, directory, settings), () -> remove(image, directory));
  }

  private static LoopDisk createParts(Path image, Path directory, DiskSettings settings)
      throws IOException {
    ReadAhead readAhead = settings.readAhead().or(ReadAhead::given).orElse(ReadAhead.OLD);
    Files.createDirectories(directory);
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(settings.bytes());
    }
    Path node = attachLoopDevice(image);
    LoopDisk disk = new LoopDisk(image, directory, node);
    disk.setQueue("scheduler", SCHEDULER);
    disk.setQueue("read_ahead_kb", Integer.toString(readAhead.kib()));
    Ext4.make(node, directory, List.of());
    return disk;
  }

  /** The disk that another process made. */
  static LoopDisk open(Path image, Path directory) throws IOException {
    List<Path> nodes = loopDevices(image);
    if (nodes.isEmpty()) {
      throw new IOException("no loop device has " + image + " behind it");
    }
    return new LoopDisk(image, directory, nodes.get(0));
  }

  /** Unmounts, detaches and deletes all parts of a disk that exist. */
  static void remove(Path image, Path directory) throws IOException {
    Ext4.unmount(directory);
    if (Files.exists(image)) {
      for (Path node : loopDevices(image)) {
        SystemCommand.run("losetup", "--detach", node.toString());
      }
      Files.delete(image);
    }
    Files.deleteIfExists(directory);
  }

  private static Path attachLoopDevice(Path image) throws IOException {
    try {
      return attachLoopDevice(image, "--direct-io=on");
    } catch (IOException e) {
      // The file system below the image has no direct I/O (tmpfs, some overlays).
      return attachLoopDevice(image, "--direct-io=off");
    }
  }

  private static Path attachLoopDevice(Path image, String directIo) throws IOException {
    return Path.of(SystemCommand.run("losetup", "--find", "--show", directIo, image.toString()));
  }

  private static List<Path> loopDevices(Path image) throws IOException {
    String listed =
        SystemCommand.run(
            "losetup", "--associated", image.toString(), "--noheadings", "--output", "NAME");
    return listed.lines().map(String::strip).map(Path::of).collect(Collectors.toList());
  }

  private void setQueue(String setting, String value) throws IOException {
    Path file = Path.of("/sys/block", node().getFileName().toString(), "queue", setting);
    try {
      Files.writeString(file, value);
    } catch (IOException e) {
      throw new IOException("cannot set " + file + " to " + value, e);
    }
  }

  @Override
  String kind() {
    return SCHEDULER + ", image " + image;
  }

  @Override
  public void close() throws IOException {
    remove(image, directory());
  }
}
