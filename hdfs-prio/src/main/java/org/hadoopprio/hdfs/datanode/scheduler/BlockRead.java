// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.KnownFiles;
import org.hadoopprio.linux.PageCache;

/** A part of a block that is to be read, and where it is. Immutable. */
public final class BlockRead {

  /** As a length, for that of a read which HDFS makes to the end of the block. */
  private static final long TO_THE_END = Long.MAX_VALUE / 2;

  /** More than the header of a file of checksums, and than a chunk's place in it is imprecise. */
  private static final long CHECKSUMS_AROUND = 64;

  private final FsDatasetSpi<?> data;
  private final ExtendedBlock replica;
  private final Volume volume;
  private final long block;
  private final long offset;
  private final long length;
  private final Hint hint;

  /** Whether the checksums of the data are read, too. */
  private final boolean checksums;

  /**
   * Describes a read.
   *
   * @param block the block's id
   * @param offset where the read begins in the block, in bytes
   * @param length of the read, in bytes
   */
  BlockRead(Volume volume, long block, long offset, long length) {
    this(null, null, volume, block, offset, length, Hint.NOTHING, false);
  }

  /** Describes a read of a replica that the data set has. */
  BlockRead(
      FsDatasetSpi<?> data,
      ExtendedBlock replica,
      Volume volume,
      long block,
      long offset,
      long length,
      Hint hint,
      boolean checksums) {
    this.data = data;
    this.replica = replica;
    this.volume = volume;
    this.block = block;
    this.offset = offset;
    this.length = length;
    this.hint = hint;
    this.checksums = checksums;
  }

  /**
   * Describes a read of a DataNode's block. Its volume is not known if the DataNode does not have
   * the block or does not serve its pool, if the DataNode has not reached a NameNode since it was
   * started, or if all volumes have mode {@code order}, for which nobody needs to know it.
   *
   * @param length in bytes; negative for all to the end of the block
   * @param hint what its client says of it
   * @param checksums whether the client wants the checksums of the data, too
   */
  public static BlockRead of(
      DataNode dataNode,
      ExtendedBlock block,
      long offset,
      long length,
      Hint hint,
      boolean checksums) {
    boolean needed = !SchedulerSettings.of(dataNode.getConf()).modes().isOnly(VolumeMode.ORDER);
    // Null until the DataNode has reached a NameNode; clients that knew it before it was restarted
    // do not wait for that.
    FsDatasetSpi<?> data = needed ? dataNode.getFSDataset() : null;
    if (data != null && !isServed(dataNode, block.getBlockPoolId())) {
      data = null;
    }
    Volume volume = Volumes.of(dataNode.getConf(), data == null ? null : data.getVolume(block));
    long bytes = length < 0 ? TO_THE_END : length;
    return new BlockRead(data, block, volume, block.getBlockId(), offset, bytes, hint, checksums);
  }

  /**
   * Whether a DataNode serves a block pool. The data set must not be asked about another: it makes
   * a lock for each name that it hears, and keeps it.
   */
  public static boolean isServed(DataNode dataNode, String pool) {
    try {
      return dataNode.getDNRegistrationForBP(pool) != null;
    } catch (IOException e) {
      // DataXceiver ends an operation with this exception before it reads anything.
      return false;
    }
  }

  /** The same read, for a client that says so much of it. */
  BlockRead with(Hint stated) {
    return new BlockRead(data, replica, volume, block, offset, length, stated, checksums);
  }

  /** Whether the DataNode does not have the block, or not any more. */
  public boolean isMissing() {
    return data != null && volume.isUnknown();
  }

  /** How many others are expected to follow within its latency target. */
  int following() {
    return hint.following();
  }

  /** After how many milliseconds without data its client gives up; 0 if it does not say. */
  int patienceMillis() {
    return hint.patienceMillis();
  }

  /** Whether it may be refused if it would miss its latency target. */
  boolean mayRefuse() {
    return hint.mayRefuse();
  }

  /**
   * Whether all that is read is in the page cache. Opens the replica's files. It is not looked up
   * for a length of 0, for which HDFS reads a chunk, and to the end of the block.
   */
  boolean isCached() {
    if (data == null || length == 0 || length == TO_THE_END) {
      return false;
    }
    try (InputStream in = data.getBlockInputStream(replica, 0)) {
      if (!(in instanceof FileInputStream)) {
        return false;
      }
      FileInputStream file = (FileInputStream) in;
      return PageCache.isResident(DescriptorNumber.of(file.getFD()), offset, length)
          && (!checksums || areChecksumsCached(file.getChannel().size()));
    } catch (IOException e) {
      // The read itself meets it, too, and reports it.
      return false;
    }
  }

  /** Whether their header and those of the data are. */
  private boolean areChecksumsCached(long dataBytes) throws IOException {
    try (LengthInputStream in = data.getMetaDataInputStream(replica)) {
      if (in == null || !(in.getWrappedStream() instanceof FileInputStream)) {
        return false;
      }
      int descriptor = DescriptorNumber.of(((FileInputStream) in.getWrappedStream()).getFD());
      long all = in.getLength();
      // The checksum of a chunk is in the file where the chunk is in the data, but for the header.
      double perByte = (double) all / Math.max(1, dataBytes);
      long from = Math.max(0, (long) (perByte * offset) - CHECKSUMS_AROUND);
      long to = Math.min(all, (long) (perByte * (offset + length)) + CHECKSUMS_AROUND);
      return PageCache.isResident(descriptor, 0, Math.min(all, CHECKSUMS_AROUND))
          && PageCache.isResident(descriptor, from, to - from);
    }
  }

  /**
   * The same without asking the disk for anything, not even the file's inode: of a finalized
   * replica that the kernel knows. For a read that may not use the disk now.
   */
  boolean isCachedAndKnown() {
    return replica != null
        && volume.directory() != null
        && KnownFiles.isKnown(finalized(Block.BLOCK_FILE_PREFIX + block))
        && (!checksums || KnownFiles.isKnown(finalized(checksumsName())))
        && isCached();
  }

  /** Not that of the file if the client knows an older generation: then it counts as not known. */
  private String checksumsName() {
    return DatanodeUtil.getMetaName(Block.BLOCK_FILE_PREFIX + block, replica.getGenerationStamp());
  }

  /** A file's place as HDFS lays out a volume. */
  private Path finalized(String name) {
    Path pool = volume.directory().resolve("current").resolve(replica.getBlockPoolId());
    File root = pool.resolve("current").resolve(DataStorage.STORAGE_DIR_FINALIZED).toFile();
    return DatanodeUtil.idToBlockDir(root, block).toPath().resolve(name);
  }

  /** Where the block is; one that is not known if that is not. */
  public Volume volume() {
    return volume;
  }

  long block() {
    return block;
  }

  long offset() {
    return offset;
  }

  long length() {
    return length;
  }
}
