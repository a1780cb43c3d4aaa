// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.io.FilterInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.delegate.LockedReads;
import org.hadoopprio.hdfs.client.CurrentPriority;

/**
 * The local file system. At each read it asks for the reading thread's priority, as an HDFS client
 * does.
 */
public class RecordingFileSystem extends LocalFileSystem {

  /** One read. */
  static final class Read {
    final String path;
    final int bytes;
    final IoPriority priority;
    final String thread;
    final boolean positioned;

    Read(String path, int bytes, IoPriority priority, String thread, boolean positioned) {
      this.path = path;
      this.bytes = bytes;
      this.priority = priority;
      this.thread = thread;
      this.positioned = positioned;
    }

    @Override
    public String toString() {
      return priority + " " + bytes + " B on " + thread + " of " + path;
    }
  }

  private static final Queue<Read> READS = new ConcurrentLinkedQueue<>();

  /** A disk that serves nobody below normal: such reads of a table wait until it is closed. */
  static final class BusyDisk implements AutoCloseable {
    private final String directory;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private BusyDisk(String table) {
      this.directory = directory(table);
    }

    private void read(String path) {
      if (path.contains(directory) && LockedReads.isBelowNormal(CurrentPriority.get())) {
        reached.countDown();
        Uninterruptibles.awaitUninterruptibly(closed);
      }
    }

    /** Waits until a read waits; returns false if none does within a minute. */
    boolean awaitRead() throws InterruptedException {
      return reached.await(1, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
      busy = null;
      closed.countDown();
    }
  }

  private static volatile BusyDisk busy;

  static BusyDisk busyFor(String table) {
    busy = new BusyDisk(table);
    return busy;
  }

  private static String directory(String table) {
    return "/data/default/" + table + "/";
  }

  /** The reads below a table's directory since the last call, in order. */
  static List<Read> take(String table) {
    List<Read> taken = new ArrayList<>();
    for (Read read = READS.poll(); read != null; read = READS.poll()) {
      if (read.path.contains(directory(table))) {
        taken.add(read);
      }
    }
    return taken;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return new FSDataInputStream(
        new RecordingStream(super.open(path, bufferSize), path.toUri().getPath()));
  }

  private static final class RecordingStream extends FilterInputStream
      implements Seekable, PositionedReadable {
    private final FSDataInputStream stream;
    private final String path;

    RecordingStream(FSDataInputStream stream, String path) {
      super(stream);
      this.stream = stream;
      this.path = path;
    }

    private void begin() {
      BusyDisk disk = busy;
      if (disk != null) {
        disk.read(path);
      }
    }

    private int record(int bytes, boolean positioned) {
      if (bytes > 0) {
        String thread = Thread.currentThread().getName();
        READS.add(new Read(path, bytes, CurrentPriority.get(), thread, positioned));
      }
      return bytes;
    }

    @Override
    public int read() throws IOException {
      begin();
      int value = stream.read();
      record(value < 0 ? 0 : 1, false);
      return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      begin();
      return record(stream.read(buffer, offset, length), false);
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) throws IOException {
      begin();
      return record(stream.read(position, buffer, offset, length), true);
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length) throws IOException {
      begin();
      stream.readFully(position, buffer, offset, length);
      record(length, true);
    }

    @Override
    public void readFully(long position, byte[] buffer) throws IOException {
      readFully(position, buffer, 0, buffer.length);
    }

    @Override
    public void seek(long position) throws IOException {
      stream.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return stream.getPos();
    }

    @Override
    public boolean seekToNewSource(long target) throws IOException {
      return stream.seekToNewSource(target);
    }
  }
}
