// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import java.io.FileDescriptor;
import java.io.InputStream;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;

/**
 * A replica's streams without a file descriptor, so that nothing is read ahead: readahead would
 * fetch data into the page cache that an engine reads past it.
 */
final class EngineStreams extends ReplicaInputStreams {

  EngineStreams(
      EngineInputStream data,
      InputStream checksums,
      FsVolumeReference volume,
      FileIoProvider provider) {
    super(data, checksums, volume, provider);
  }

  @Override
  public FileDescriptor getDataInFd() {
    return null;
  }
}
