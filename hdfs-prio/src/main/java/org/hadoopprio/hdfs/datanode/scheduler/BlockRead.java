package org.hadoopprio.hdfs.datanode.scheduler;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** A part of a block that is to be read, and where it is. Immutable. */
public final class BlockRead {

  private final FsVolumeSpi volume;
  private final long block;
  private final long offset;
  private final long length;

  /**
   * Describes a read.
   *
   * @param volume null if it is not known
   * @param block the block's id
   * @param offset where the read begins in the block, in bytes
   * @param length of the read, in bytes
   */
  BlockRead(FsVolumeSpi volume, long block, long offset, long length) {
    this.volume = volume;
    this.block = block;
    this.offset = offset;
    this.length = length;
  }

  /**
   * Describes a read of a DataNode's block. Its volume is not known if the DataNode does not have
   * the block, if the DataNode has not reached a NameNode since it was started, or if all volumes
   * have mode {@code order}, for which nobody needs to know it.
   */
  public static BlockRead of(DataNode dataNode, ExtendedBlock block, long offset, long length) {
    boolean needed = !SchedulerSettings.of(dataNode.getConf()).modes().isOnly(SchedulerMode.ORDER);
    // Null until the DataNode has reached a NameNode; clients that knew it before it was restarted
    // do not wait for that.
    FsDatasetSpi<?> data = dataNode.getFSDataset();
    FsVolumeSpi volume = needed && data != null ? data.getVolume(block) : null;
    return new BlockRead(volume, block.getBlockId(), offset, length);
  }

  FsVolumeSpi volume() {
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
