// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopprio.lab.disk.Directories;

/**
 * HDFS's short circuit: clients get a block's file from the DataNode over a socket of the file
 * system, and read the disk themselves.
 */
public final class ShortCircuit {

  /** Switches short circuit on, for DataNodes and clients. */
  public static final String KEY = "dfs.client.read.shortcircuit";

  /** HDFS wants every directory above the socket closed to others; /run is. */
  private static final Path DIRECTORY =
      Path.of("/run", "hadoop-prio-" + ProcessHandle.current().pid());

  private ShortCircuit() {}

  /** What DataNode and clients need. */
  public static Map<String, String> conf() {
    // HDFS puts the DataNode's port in the place of _PORT.
    return Map.of(KEY, "true", "dfs.domain.socket.path", DIRECTORY.resolve("_PORT").toString());
  }

  /** What a RegionServer needs. */
  public static Map<String, String> regionServerConf() {
    // HDFS always fills this buffer. HBase makes it 128 KiB, twice what a Get needs.
    Map<String, String> conf = new TreeMap<>(conf());
    conf.put("dfs.client.read.shortcircuit.buffer.size", "65536");
    return conf;
  }

  /**
   * Makes the socket's directory, and checks that daemons can use it.
   *
   * @param dataNode that runs
   */
  public static void prepare(Daemon dataNode) throws IOException {
    Path maps = Path.of("/proc", Long.toString(dataNode.pid().orElseThrow()), "maps");
    if (!Files.readString(maps).contains("libhadoop")) {
      throw new IOException(
          "short circuit needs libhadoop, which "
              + dataNode.name()
              + " has not loaded; leave out the systems that need it");
    }
    makeDirectory();
  }

  /** Makes the socket's directory, which must be there before a DataNode with {@link #conf}. */
  public static void makeDirectory() throws IOException {
    Directories.delete(DIRECTORY);
    Files.createDirectory(
        DIRECTORY,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** The directory of the sockets. */
  public static Path directory() {
    return DIRECTORY;
  }

  /** Removes the directory, if it was made. */
  public static void remove() throws IOException {
    Directories.delete(DIRECTORY);
  }
}
