// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A client process whose threads read HDFS files from begin to end, each files of its own, again
 * and again, and that measures how long each read takes. Its priority comes from the environment.
 */
@Command(name = "SequentialReaders", mixinStandardHelpOptions = true)
public final class SequentialReaders implements Callable<Integer> {

  @Mixin private MeasuredReads measured;

  @Option(names = "--threads", required = true, description = "Not more than there are files.")
  private int threads;

  @Option(
      names = "--drop-behind",
      description = "What has been read leaves the DataNode's page cache.")
  private boolean dropBehind;

  SequentialReaders() {}

  /** See {@code --help}. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new SequentialReaders()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (FileSystem fs = measured.fileSystem(dropBehind, threads)) {
      List<OwnFiles> readers = readers(fs);
      // The first reads of a process are slow while its classes are loaded.
      try (OwnFiles first = new OwnFiles(fs, readers.get(0).files, measured.length())) {
        first.prepare();
        first.read();
      }
      measured.report(new ReadLoad(measured.awaitStart()).closed(readers));
      for (OwnFiles reader : readers) {
        reader.close();
      }
    }
    return 0;
  }

  /** A reader for each thread. */
  private List<OwnFiles> readers(FileSystem fs) throws IOException {
    List<FileStatus> files = measured.files(fs, 1);
    if (threads < 1 || threads > files.size()) {
      throw new IllegalArgumentException(
          "--threads must be 1 to the number of files below "
              + measured.directory()
              + ", "
              + files.size()
              + ", not "
              + threads);
    }
    List<OwnFiles> readers = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      List<FileStatus> own = new ArrayList<>();
      for (int file = thread; file < files.size(); file += threads) {
        own.add(files.get(file));
      }
      readers.add(new OwnFiles(fs, own, measured.length()));
    }
    return readers;
  }

  /** Files that are read one after the other, again and again. Not thread-safe. */
  private static final class OwnFiles implements ReadLoad.Reader, Closeable {

    private final FileSystem fs;
    private final List<FileStatus> files;
    private final byte[] buffer;
    private int next;
    private FSDataInputStream in;
    private long left;

    OwnFiles(FileSystem fs, List<FileStatus> files, int length) {
      this.fs = fs;
      this.files = files;
      this.buffer = new byte[length];
    }

    @Override
    public void prepare() throws IOException {
      if (left == 0) {
        close();
        FileStatus file = files.get(next);
        next = (next + 1) % files.size();
        in = fs.open(file.getPath());
        left = file.getLen();
      }
    }

    @Override
    public int read() throws IOException {
      int count = (int) Math.min(left, buffer.length);
      in.readFully(buffer, 0, count);
      left -= count;
      return count;
    }

    @Override
    public void close() throws IOException {
      if (in != null) {
        in.close();
      }
    }
  }
}
