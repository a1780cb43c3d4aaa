// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;

/** Positioned reads of one length at random places of the files below a directory. Thread-safe. */
final class RandomPlaces implements Closeable {

  /** A read of whole pages is one request to the disk and leaves no page behind half read. */
  private static final int PAGE_BYTES = 4096;

  private static final class OpenFile {
    final FSDataInputStream in;
    final long places;

    OpenFile(FSDataInputStream in, long places) {
      this.in = in;
      this.places = places;
    }
  }

  private final List<OpenFile> files = new ArrayList<>();
  private final int length;
  private final IoPriority priority;

  private RandomPlaces(int length, IoPriority priority) {
    this.length = length;
    this.priority = priority;
  }

  /**
   * Opens the files below a directory that are long enough.
   *
   * @param length of a read in bytes
   * @param priority null for reads that state none
   * @throws IOException also if there is no file long enough
   */
  static RandomPlaces open(FileSystem fs, Path directory, int length, IoPriority priority)
      throws IOException {
    RandomPlaces places = new RandomPlaces(length, priority);
    try {
      RemoteIterator<LocatedFileStatus> listed = fs.listFiles(directory, true);
      while (listed.hasNext()) {
        FileStatus file = listed.next();
        long count = (file.getLen() - length) / PAGE_BYTES;
        if (count > 0) {
          places.files.add(new OpenFile(fs.open(file.getPath()), count));
        }
      }
      if (places.files.isEmpty()) {
        throw new IOException("no file longer than " + length + " bytes below " + directory);
      }
      return places;
    } catch (IOException | RuntimeException e) {
      places.close();
      throw e;
    }
  }

  /** One read. */
  int read() throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    OpenFile file = files.get(random.nextInt(files.size()));
    long position = random.nextLong(file.places) * PAGE_BYTES;
    byte[] buffer = new byte[length];
    if (priority == null) {
      file.in.readFully(position, buffer, 0, length);
    } else {
      PriorityReads.readFully(file.in, position, buffer, 0, length, priority);
    }
    return length;
  }

  @Override
  public void close() throws IOException {
    for (OpenFile file : files) {
      file.in.close();
    }
  }
}
