// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hadoopprio.tools.trace.DeviceNumber;

/** A plain directory: needs no rights, shares its device with the rest of the machine. */
final class DirDisk implements Disk {

  private final Path directory;
  private final Optional<DeviceNumber> device;

  private DirDisk(Path directory) throws IOException {
    this.directory = directory;
    this.device = DeviceNumber.diskOf(directory);
  }

  static DirDisk create(Path directory) throws IOException {
    Files.createDirectories(directory);
    return new DirDisk(directory);
  }

  static DirDisk open(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException(directory + " is gone");
    }
    return new DirDisk(directory);
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public Optional<DeviceNumber> device() {
    return device;
  }

  @Override
  public String description() {
    return "directory on " + device.map(d -> "disk " + d).orElse("no block device");
  }

  @Override
  public void evictPageCache() throws IOException {
    PageEviction.evict(directory);
  }

  @Override
  public void close() throws IOException {
    Directories.delete(directory);
  }
}
