// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.io.IOUtils;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.hdfs.datanode.AdmittedRequest;
import org.hadoopprio.hdfs.datanode.DataNodePolicy;
import org.hadoopprio.hdfs.datanode.DataNodeRequest;
import org.hadoopprio.hdfs.datanode.scheduler.BlockRead;
import org.hadoopprio.hdfs.datanode.scheduler.ReplicaFiles;
import org.hadoopprio.hdfs.datanode.scheduler.ShortCircuitPiece;
import org.hadoopprio.hdfs.datanode.scheduler.Volume;
import org.hadoopprio.hdfs.wire.MalformedMessageException;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.log.Printable;
import org.hadoopprio.metrics.PriorityMetrics;

/** Takes the reads of one connection through policy and queue of a DataNode. */
final class DataNodeTurnHandler implements TurnHandler {

  private final DataNode dataNode;

  /** Null if unknown. */
  private final String user;

  /** Null while the client reads nothing. */
  private LocalRead read;

  DataNodeTurnHandler(DataNode dataNode, String user) {
    this.dataNode = dataNode;
    this.user = user;
  }

  @Override
  public TurnAnswer enter(TurnRequest request, OutputStream client) throws IOException {
    ExtendedBlock block =
        new ExtendedBlock(request.pool(), request.block(), 0, request.generation());
    BlockRead what =
        BlockRead.of(dataNode, block, request.offset(), request.length(), request.hint(), false);
    Volume volume = what.volume();
    VolumeMode mode = volume.mode();
    if (mode.isStock()) {
      return TurnAnswer.OFF;
    }
    if (what.isMissing()) {
      // The client still has it open. On which volume it is, or was, is not known.
      return TurnAnswer.go(request.length(), admit(request, volume, mode));
    }
    if (!ShortCircuitPiece.isAsked(volume)) {
      requireServed(request.pool());
      return TurnAnswer.FREE;
    }
    IoPriority granted = admit(request, volume, mode);
    Replica replica = new Replica(block, request, client);
    if (granted != null && isRealtime(granted) && replica.isCached()) {
      return TurnAnswer.go(request.length(), granted);
    }
    ShortCircuitPiece entering = ShortCircuitPiece.of(what, granted, read);
    if (entering == null) {
      return changed(volume);
    }
    read.piece = entering;
    try {
      entering.enter(replica);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (RefusedReadException e) {
      leave();
      PriorityMetrics.REFUSED.increment();
      return TurnAnswer.LATE;
    }
    if (!ShortCircuitPiece.isAsked(volume)) {
      return changed(volume);
    }
    PriorityMetrics.LOCAL_READS.increment();
    return TurnAnswer.go(entering.bytes(), entering.priority());
  }

  /** The mode has changed meanwhile; the client need not say when it has read. */
  private TurnAnswer changed(Volume volume) {
    leave();
    return volume.mode().isStock() ? TurnAnswer.OFF : TurnAnswer.FREE;
  }

  /** Of a pool that is not served no block has a known volume, so others need not be looked up. */
  private void requireServed(String pool) throws MalformedMessageException {
    // Without a data set the DataNode serves none yet.
    if (dataNode.getFSDataset() != null && !BlockRead.isServed(dataNode, pool)) {
      throw new MalformedMessageException(
          "block pool \"" + Printable.of(pool) + "\" is not served here");
    }
  }

  private static boolean isRealtime(IoPriority priority) {
    return priority.ioClass() == IoClass.REALTIME;
  }

  private IoPriority admit(TurnRequest request, Volume volume, VolumeMode mode) {
    read = new LocalRead(request, user);
    read.admit(DataNodePolicy.of(dataNode.getConf()), volume, mode);
    return read.priority();
  }

  /** A piece of a short-circuit read. The client does it, and nobody knows how long it takes. */
  private static final class LocalRead extends AdmittedRequest {

    /** Null if the client need not wait. */
    private ShortCircuitPiece piece;

    LocalRead(TurnRequest request, String user) {
      super(Kind.LOCAL, request.hint());
      setSender(DataNodeRequest.local(request.clientName(), user));
    }

    @Override
    protected void leaveDisk() {
      if (piece != null) {
        piece.leave();
      }
    }

    @Override
    protected void count(long nanos) {}
  }

  /** The block that the client has asked for. */
  private final class Replica implements ReplicaFiles {

    private final ExtendedBlock block;
    private final TurnRequest request;
    private final OutputStream client;

    Replica(ExtendedBlock block, TurnRequest request, OutputStream client) {
      this.block = block;
      this.request = request;
      this.client = client;
    }

    @Override
    public FileInputStream data() throws IOException {
      return file(dataNode.getFSDataset().getBlockInputStream(block, 0));
    }

    @Override
    public FileInputStream checksums() throws IOException {
      LengthInputStream found = dataNode.getFSDataset().getMetaDataInputStream(block);
      if (found == null) {
        throw new IOException(block + " has no checksums");
      }
      return file(found.getWrappedStream());
    }

    private FileInputStream file(InputStream in) throws IOException {
      if (in instanceof FileInputStream) {
        return (FileInputStream) in;
      }
      IOUtils.closeStream(in);
      throw new IOException(block + " is in no file");
    }

    /** Newer kernels tell only the owner of a file, the DataNode, what is in the page cache. */
    @Override
    public boolean isCached() {
      if (!request.isCacheNotSeen()) {
        return false;
      }
      try (FileInputStream in = data()) {
        int descriptor = DescriptorNumber.of(in.getFD());
        return PageCache.isResident(descriptor, request.offset(), request.ahead());
      } catch (IOException e) {
        // The replica is not what the client has open; then it waits as if it were not cached.
        return false;
      }
    }

    @Override
    public void waits() {
      try {
        TurnAnswer.WAIT.writeTo(client);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void leave() {
    LocalRead left = read;
    read = null;
    if (left != null) {
      left.end();
    }
  }
}
