package org.hadoopprio.lab.bench.overhead;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Files whose blocks are all on one DataNode of this machine. For one thread. */
final class PinnedFiles {

  private final DistributedFileSystem fs;
  private final InetSocketAddress dataNode;

  /** Files on the DataNode whose data port this is. */
  PinnedFiles(DistributedFileSystem fs, int dataPort) {
    this.fs = fs;
    this.dataNode = new InetSocketAddress(InetAddress.getLoopbackAddress(), dataPort);
  }

  /** Writes a chunk over and over. */
  void write(Path path, byte[] chunk, long bytes) throws IOException {
    try (OutputStream out =
        fs.create(
            path,
            FsPermission.getFileDefault(),
            true,
            chunk.length,
            (short) 1,
            fs.getDefaultBlockSize(path),
            null,
            new InetSocketAddress[] {dataNode})) {
      for (long done = 0; done < bytes; done += chunk.length) {
        out.write(chunk);
      }
    }
  }

  /**
   * Checks where a file is: the NameNode may choose another DataNode than the one asked for, and
   * the result would be void.
   */
  void requireHere(Path path) throws IOException {
    for (BlockLocation block : fs.getFileBlockLocations(path, 0, Long.MAX_VALUE)) {
      for (String name : block.getNames()) {
        if (!name.endsWith(":" + dataNode.getPort())) {
          throw new IOException(
              path + " is on " + Arrays.toString(block.getNames()) + ", not on " + dataNode);
        }
      }
    }
  }
}
