// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

/**
 * The binary names of the Hadoop types that are hooked, and of their fields that several hooks use.
 * Names and not class literals: a literal would load the class before it can be woven, and some of
 * the types are private.
 */
public final class HadoopTypes {

  /** The HDFS client. */
  public static final String DFS_CLIENT = "org.apache.hadoop.hdfs.DFSClient";

  /** The stream of an HDFS client. */
  public static final String DFS_INPUT_STREAM = "org.apache.hadoop.hdfs.DFSInputStream";

  /** The field of {@link #DFS_INPUT_STREAM} with its {@link #DFS_CLIENT}. */
  public static final String DFS_INPUT_STREAM_CLIENT = "dfsClient";

  /**
   * The field of {@link #DFS_INPUT_STREAM} with the end of the block (or group) that is open for
   * sequential reads; negative if none is.
   */
  public static final String DFS_INPUT_STREAM_BLOCK_END = "blockEnd";

  /** The stream of an HDFS client that reads an erasure-coded file. */
  public static final String DFS_STRIPED_INPUT_STREAM =
      "org.apache.hadoop.hdfs.DFSStripedInputStream";

  /** Reads a stripe of an erasure-coded file, on threads of a pool. */
  public static final String STRIPE_READER = "org.apache.hadoop.hdfs.StripeReader";

  /** What a stream reads one block with. */
  public static final String BLOCK_READER = "org.apache.hadoop.hdfs.BlockReader";

  /** Makes the block readers. */
  public static final String BLOCK_READER_FACTORY =
      "org.apache.hadoop.hdfs.client.impl.BlockReaderFactory";

  /** The block reader that asks a DataNode. */
  public static final String BLOCK_READER_REMOTE =
      "org.apache.hadoop.hdfs.client.impl.BlockReaderRemote";

  /** The block reader of short-circuit reads. */
  public static final String BLOCK_READER_LOCAL =
      "org.apache.hadoop.hdfs.client.impl.BlockReaderLocal";

  /** The block reader of short-circuit reads as they were before Hadoop 2.1. */
  public static final String BLOCK_READER_LOCAL_LEGACY =
      "org.apache.hadoop.hdfs.client.impl.BlockReaderLocalLegacy";

  /** Reads the file of a block for {@link #BLOCK_READER_LOCAL}. */
  public static final String BLOCK_READER_IO_PROVIDER =
      "org.apache.hadoop.hdfs.client.impl.metrics.BlockReaderIoProvider";

  /** A replica that is open for short-circuit reads. */
  public static final String SHORT_CIRCUIT_REPLICA =
      "org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica";

  /** What an HDFS client knows about a DataNode's socket. */
  public static final String DOMAIN_SOCKET_PATH_INFO =
      "org.apache.hadoop.hdfs.shortcircuit.DomainSocketFactory$PathInfo";

  /** Sends the operations of the DataTransferProtocol. */
  public static final String SENDER = "org.apache.hadoop.hdfs.protocol.datatransfer.Sender";

  /** The message of the operation that reads a block. */
  public static final String OP_READ_BLOCK =
      "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$OpReadBlockProto";

  /** The message of the operation that writes a block. */
  public static final String OP_WRITE_BLOCK =
      "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$OpWriteBlockProto";

  /** The message of the operation that has a DataNode send a replica to another one. */
  public static final String OP_TRANSFER_BLOCK =
      "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$OpTransferBlockProto";

  /** The message of the operation that computes the checksum of a block. */
  public static final String OP_BLOCK_CHECKSUM =
      "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$OpBlockChecksumProto";

  /** The message of the operation that computes the checksum of an erasure-coded block group. */
  public static final String OP_BLOCK_GROUP_CHECKSUM =
      "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$OpBlockGroupChecksumProto";

  /** Sends the blocks of a file that is being written, on a thread of its own. */
  public static final String DATA_STREAMER = "org.apache.hadoop.hdfs.DataStreamer";

  /** The DataNode. */
  public static final String DATANODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";

  /** A DataNode's thread for one connection. */
  public static final String DATA_XCEIVER = "org.apache.hadoop.hdfs.server.datanode.DataXceiver";

  /** The field of {@link #DATA_XCEIVER} with its {@link #DATANODE}. */
  public static final String DATA_XCEIVER_DATANODE = "datanode";

  /** Sends a replica to other DataNodes. */
  public static final String DATA_TRANSFER =
      "org.apache.hadoop.hdfs.server.datanode.DataNode$DataTransfer";

  /** Reads the replicas of a volume to see whether they are still good. */
  public static final String VOLUME_SCANNER =
      "org.apache.hadoop.hdfs.server.datanode.VolumeScanner";

  /** Lists the directories of a volume. */
  public static final String REPORT_COMPILER =
      "org.apache.hadoop.hdfs.server.datanode.DirectoryScanner$ReportCompiler";

  /** The replicas of a DataNode. */
  public static final String FS_DATASET_IMPL =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetImpl";

  /** Reads a replica into memory. */
  public static final String CACHING_TASK =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetCache$CachingTask";

  /** Computes a lost block of an erasure-coded file. */
  public static final String STRIPED_BLOCK_RECONSTRUCTOR =
      "org.apache.hadoop.hdfs.server.datanode.erasurecode.StripedBlockReconstructor";

  /** Sends a block's data in packets. */
  public static final String BLOCK_SENDER = "org.apache.hadoop.hdfs.server.datanode.BlockSender";

  /** The field of {@link #BLOCK_SENDER} with its {@link #DATANODE}. */
  public static final String BLOCK_SENDER_DATANODE = "datanode";

  /** The field of {@link #BLOCK_SENDER} with its {@link #REPLICA_INPUT_STREAMS}. */
  public static final String BLOCK_SENDER_REPLICA = "ris";

  /** Receives a block's data in packets, and writes them to a replica. */
  public static final String BLOCK_RECEIVER =
      "org.apache.hadoop.hdfs.server.datanode.BlockReceiver";

  /** The field of {@link #BLOCK_RECEIVER} with its {@link #REPLICA_IN_PIPELINE}. */
  public static final String BLOCK_RECEIVER_REPLICA = "replicaInfo";

  /** The replica that is being written. */
  public static final String REPLICA_IN_PIPELINE =
      "org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline";

  /** The streams to which a replica is written. */
  public static final String REPLICA_OUTPUT_STREAMS =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams";

  /** The streams of a replica's data and checksums. */
  public static final String REPLICA_INPUT_STREAMS =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams";

  /** A replica. */
  public static final String REPLICA = "org.apache.hadoop.hdfs.server.datanode.Replica";

  /** A replica in a local directory. */
  public static final String LOCAL_REPLICA = "org.apache.hadoop.hdfs.server.datanode.LocalReplica";

  /** A DataNode's access to files. */
  public static final String FILE_IO_PROVIDER =
      "org.apache.hadoop.hdfs.server.datanode.FileIoProvider";

  /** Limits the bandwidth of a transfer. */
  public static final String DATA_TRANSFER_THROTTLER =
      "org.apache.hadoop.hdfs.util.DataTransferThrottler";

  /** Serves the requests of WebHDFS in a DataNode, as a client of HDFS. */
  public static final String WEB_HDFS_HANDLER =
      "org.apache.hadoop.hdfs.server.datanode.web.webhdfs.WebHdfsHandler";

  /** A request of HTTP. */
  public static final String HTTP_REQUEST = "io.netty.handler.codec.http.HttpRequest";

  /** A block and its block pool. */
  public static final String EXTENDED_BLOCK = "org.apache.hadoop.hdfs.protocol.ExtendedBlock";

  /** Reads ahead of streams, on threads of its own. */
  public static final String READAHEAD_POOL = "org.apache.hadoop.io.ReadaheadPool";

  /** A request to the readahead pool. */
  public static final String READAHEAD_REQUEST =
      "org.apache.hadoop.io.ReadaheadPool$ReadaheadRequestImpl";

  /** Waits until a socket is ready. */
  public static final String SELECTOR_POOL =
      "org.apache.hadoop.net.SocketIOWithTimeout$SelectorPool";

  /** What is sent through a domain socket. */
  public static final String DOMAIN_OUTPUT_STREAM =
      "org.apache.hadoop.net.unix.DomainSocket$DomainOutputStream";

  /** The reconfiguration of a running daemon. */
  public static final String RECONFIGURABLE_BASE = "org.apache.hadoop.conf.ReconfigurableBase";

  private HadoopTypes() {}
}
