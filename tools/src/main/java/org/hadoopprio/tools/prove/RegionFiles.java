// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;

/**
 * The files in the stores of a region, which HBase replaces whenever it flushes, compacts or
 * splits. Not safe for use by several threads.
 */
final class RegionFiles {

  private final FileSystem fs;
  private final Path directory;

  /** Null before the first answer. */
  private Set<Path> first;

  /** Those of a region's directory. */
  RegionFiles(FileSystem fs, Path directory) {
    this.fs = fs;
    this.directory = directory;
  }

  /**
   * All that there are now; {@link #haveChanged} compares with the first answer.
   *
   * @throws IOException if they cannot be listed, saying why
   */
  List<FileStatus> list() throws IOException {
    List<FileStatus> files = now();
    if (first == null) {
      first = paths(files);
    }
    return files;
  }

  /** Whether there are other files than at first. */
  boolean haveChanged() throws IOException {
    return !paths(now()).equals(first);
  }

  private static Set<Path> paths(List<FileStatus> files) {
    return files.stream().map(FileStatus::getPath).collect(Collectors.toSet());
  }

  private List<FileStatus> now() throws IOException {
    List<FileStatus> files = new ArrayList<>();
    try {
      for (FileStatus family : fs.listStatus(directory)) {
        if (family.isDirectory() && isVisible(family.getPath())) {
          files.addAll(List.of(fs.listStatus(family.getPath())));
        }
      }
    } catch (FileNotFoundException e) {
      throw new IOException(gone(), e);
    }
    return files;
  }

  /** Whoever has seen it knows what has happened; else it may be anywhere. */
  private String gone() {
    return first != null
        ? "region " + directory.getName() + " is split or merged; repeat it"
        : "region "
            + directory.getName()
            + " has no directory "
            + directory
            + ": it was split, merged or dropped a moment ago, or the RegionServer's hbase.rootdir"
            + " names another HDFS here; repeat it, and compare fs.defaultFS and the nameservices"
            + " of --conf with those of the RegionServer";
  }

  private static boolean isVisible(Path directory) {
    String name = directory.getName();
    return !name.startsWith(".") && !name.equals(HConstants.RECOVERED_EDITS_DIR);
  }
}
