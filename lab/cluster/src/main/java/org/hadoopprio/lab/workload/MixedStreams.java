// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Streams that share a disk with the reads of one thread by a {@link StaticMix}. Each reads a file
 * of {@link StreamFiles} again and again, in pieces of {@value #PIECE_BYTES} bytes. Thread-safe.
 */
final class MixedStreams implements Closeable {

  static final int PIECE_BYTES = 1 << 20;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MB = 1e6;

  private final StaticMix mix;
  private final MeasuredWindow window;
  private final LongAdder bytes = new LongAdder();
  private final ExecutorService threads;
  private final List<Future<Void>> streams = new ArrayList<>();

  private MixedStreams(StaticMix mix, MeasuredWindow window, int count) {
    this.mix = mix;
    this.window = window;
    this.threads = Executors.newFixedThreadPool(count);
  }

  /**
   * Starts them.
   *
   * @param pieces of all streams together, for each read
   * @param window in which their bytes are counted, and at whose end they stop
   */
  static MixedStreams start(
      FileSystem fs, Path directory, int count, int pieces, MeasuredWindow window) {
    MixedStreams mixed = new MixedStreams(new StaticMix(pieces), window, count);
    for (int i = 0; i < count; i++) {
      Path file = StreamFiles.file(directory, i);
      Callable<Void> stream = () -> mixed.stream(fs, file);
      mixed.streams.add(mixed.threads.submit(stream));
    }
    return mixed;
  }

  private Void stream(FileSystem fs, Path file) throws IOException, InterruptedException {
    long length = fs.getFileStatus(file).getLen();
    byte[] buffer = new byte[PIECE_BYTES];
    try (FSDataInputStream in = fs.open(file)) {
      for (long position = 0;
          !window.isOver(System.nanoTime());
          position = (position + PIECE_BYTES) % length) {
        mix.beginPiece();
        try {
          in.readFully(position, buffer);
        } finally {
          mix.endPiece();
        }
        if (window.contains(System.nanoTime())) {
          bytes.add(PIECE_BYTES);
        }
      }
    } finally {
      mix.end();
    }
    return null;
  }

  /** A read of the one thread, in its turn. */
  int read(ReadLoad.Reader reader) throws IOException {
    try {
      mix.beginRead();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while streams read");
    }
    try {
      return reader.read();
    } finally {
      mix.endRead();
    }
  }

  /**
   * What the streams have read in the window, in MB of 10^6 bytes a second.
   *
   * @throws IOException if a stream failed
   */
  double megabytesPerSecond() throws IOException, InterruptedException {
    try {
      for (Future<Void> stream : streams) {
        stream.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a stream failed: " + e.getCause(), e.getCause());
    }
    return bytes.sum() / BYTES_PER_MB / (window.lengthNanos() / NANOS_PER_SECOND);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
