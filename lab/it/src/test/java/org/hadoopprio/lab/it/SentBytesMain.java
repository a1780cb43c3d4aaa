// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.StringUtils;

/** Prints in hexadecimal what Hadoop's own Sender sends for an OpReadBlock and an OpWriteBlock. */
public final class SentBytesMain {

  private SentBytesMain() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws Exception {
    ExtendedBlock block = new ExtendedBlock("BP-1", 42, 1024, 7);
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    new Sender(new DataOutputStream(read))
        .readBlock(
            block,
            new Token<BlockTokenIdentifier>(),
            "client",
            0,
            1024,
            true,
            CachingStrategy.newDefaultStrategy());
    ByteArrayOutputStream write = new ByteArrayOutputStream();
    new Sender(new DataOutputStream(write))
        .writeBlock(
            block,
            StorageType.DISK,
            new Token<BlockTokenIdentifier>(),
            "client",
            new DatanodeInfo[0],
            new StorageType[0],
            null,
            BlockConstructionStage.PIPELINE_SETUP_CREATE,
            1,
            0,
            0,
            0,
            DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512),
            CachingStrategy.newDefaultStrategy(),
            false,
            false,
            new boolean[0],
            "",
            new String[0]);
    System.out.println("read " + StringUtils.byteToHexString(read.toByteArray()));
    System.out.println("write " + StringUtils.byteToHexString(write.toByteArray()));
  }
}
