// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.HdfsBlockLocation;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A place of a row in a block of HDFS: what a Get of it reads of one store file. Immutable. */
final class RowPlace {

  /**
   * What is taken for the row's block, before its end: a store file does not say how large its
   * table wants blocks to be, and few want more than 1 MiB.
   */
  private static final int MOST_BYTES = 4 << 20;

  private final String file;
  private final LocatedBlock block;
  private final long from;
  private final long offset;

  private RowPlace(String file, LocatedBlock block, long from, long offset) {
    this.file = file;
    this.block = block;
    this.from = from;
    this.offset = offset;
  }

  /**
   * Looks for a row in a store file.
   *
   * @return empty if it does not have the row
   * @throws IOException if it cannot be read, saying why, or is not in HDFS
   */
  static Optional<RowPlace> find(FileSystem fs, FileStatus file, Configuration conf, byte[] row)
      throws IOException {
    try {
      return look(fs, file, conf, row);
    } catch (FileNotFoundException e) {
      throw new IOException(
          "store file " + file.getPath() + " was compacted away meanwhile; repeat it", e);
    }
  }

  private static Optional<RowPlace> look(
      FileSystem fs, FileStatus file, Configuration conf, byte[] row) throws IOException {
    long end;
    try (HFile.Reader reader =
            HFile.createReader(fs, file.getPath(), CacheConfig.DISABLED, true, conf);
        HFileScanner scanner = reader.getScanner(conf, false, false)) {
      if (!hasRow(scanner, row)) {
        return Optional.empty();
      }
      // The block of the file that has the row was the last to be read, with the next one's header.
      FSDataInputStreamWrapper in = reader.getContext().getInputStreamWrapper();
      end = in.getStream(in.shouldUseHBaseChecksum()).getPos() - HConstants.HFILEBLOCK_HEADER_SIZE;
    } catch (IOException | RuntimeException | LinkageError e) {
      throw unreadable(fs, file, e);
    }
    BlockLocation[] found = fs.getFileBlockLocations(file, end - 1, 1);
    if (found.length != 1 || !(found[0] instanceof HdfsBlockLocation)) {
      throw new IOException("hbase.rootdir is not in HDFS, but in " + fs.getUri());
    }
    LocatedBlock block = ((HdfsBlockLocation) found[0]).getLocatedBlock();
    if (block.isStriped()) {
      throw new IOException(file.getPath() + " is erasure-coded, which this command cannot do");
    }
    long offset = end - 1 - block.getStartOffset();
    String name = file.getPath().getParent().getName() + "/" + file.getPath().getName();
    return Optional.of(new RowPlace(name, block, Math.max(0, offset - MOST_BYTES), offset));
  }

  /** Seeks as a Get does. */
  private static boolean hasRow(HFileScanner scanner, byte[] row) throws IOException {
    int found = scanner.seekTo(KeyValueUtil.createFirstOnRow(row));
    boolean is;
    if (found == 0 || found == HConstants.INDEX_KEY_MAGIC) {
      is = true;
    } else {
      is = found < 0 ? scanner.seekTo() : scanner.next();
    }
    return is && CellUtil.matchingRows(scanner.getCell(), row);
  }

  /** What was wrong: codecs that need a native library throw whatever they like. */
  private static IOException unreadable(FileSystem fs, FileStatus file, Throwable e)
      throws IOException {
    if (e instanceof IOException && ProveFailure.access((IOException) e).isPresent()) {
      return (IOException) e;
    }
    Compression.Algorithm compression;
    try (FSDataInputStream in = fs.open(file.getPath())) {
      compression = FixedFileTrailer.readFromStream(in, file.getLen()).getCompressionCodec();
    }
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return new IOException(
        file.getPath()
            + " cannot be read ("
            + root
            + ")"
            + (compression == Compression.Algorithm.NONE
                ? ""
                : "; its compression is "
                    + compression
                    + ": if its codec needs a native library, name the directory, as"
                    + " LD_LIBRARY_PATH=/usr/lib/hadoop/lib/native; or take a table without"
                    + " compression"),
        e);
  }

  /** Family and name of the store file. */
  String file() {
    return file;
  }

  LocatedBlock block() {
    return block;
  }

  /** The first byte of the block that a Get of the row may read of this file's data. */
  long from() {
    return from;
  }

  /** A byte of the block that a Get of the row reads, if it reads the file. */
  long offset() {
    return offset;
  }
}
