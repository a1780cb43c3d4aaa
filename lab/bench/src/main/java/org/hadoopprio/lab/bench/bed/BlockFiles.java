// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.bed;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.Disk;

/** The files in which DataNodes keep blocks, on all disks. */
public final class BlockFiles {

  private BlockFiles() {}

  /** Those of each file of HDFS below some paths. */
  public static Map<String, Set<Path>> byFile(LocalCluster cluster, String... paths)
      throws IOException {
    Map<String, String> fileOfBlock = new HashMap<>();
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      for (String path : paths) {
        addBlocks(fs, new org.apache.hadoop.fs.Path(path), fileOfBlock);
      }
    }
    Map<String, Set<Path>> found = new HashMap<>();
    for (Disk disk : cluster.disks()) {
      Files.walkFileTree(disk.directory(), new Finder(fileOfBlock, found));
    }
    return found;
  }

  /** Those of all files below some paths together. */
  public static Set<Path> of(LocalCluster cluster, String... paths) throws IOException {
    return byFile(cluster, paths).values().stream()
        .flatMap(Set::stream)
        .collect(Collectors.toSet());
  }

  private static void addBlocks(
      FileSystem fs, org.apache.hadoop.fs.Path path, Map<String, String> fileOfBlock)
      throws IOException {
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(path, true);
    while (files.hasNext()) {
      String file = files.next().getPath().toUri().getPath();
      for (LocatedBlock block :
          ((DistributedFileSystem) fs).getClient().getLocatedBlocks(file, 0).getLocatedBlocks()) {
        fileOfBlock.put(block.getBlock().getBlockName(), file);
      }
    }
  }

  /** Collects the files whose names are those of blocks. */
  private static final class Finder extends SimpleFileVisitor<Path> {

    private final Map<String, String> fileOfBlock;
    private final Map<String, Set<Path>> found;

    Finder(Map<String, String> fileOfBlock, Map<String, Set<Path>> found) {
      this.fileOfBlock = fileOfBlock;
      this.found = found;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      String file = fileOfBlock.get(path.getFileName().toString());
      if (file != null) {
        found.computeIfAbsent(file, f -> new HashSet<>()).add(path);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
      // The DataNode may delete other blocks at the same time.
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }
  }
}
