// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A file whose bytes follow from its size, and as a program ({@code write FILE MIB}, {@code read
 * FILE MIB}) a client without anything of hadoop-prio in it.
 */
public final class SampleFile {

  private static final int MIB = 1 << 20;

  private SampleFile() {}

  /** Exits with an exception, and so with 1, where the bytes are wrong. */
  public static void main(String[] args) throws IOException {
    Path file = new Path(args[1]);
    int mib = Integer.parseInt(args[2]);
    try (FileSystem fs = FileSystem.get(new Configuration())) {
      if (args[0].equals("write")) {
        write(fs, file, mib);
      } else {
        readAndCompare(fs, file, mib);
      }
    }
  }

  static void write(FileSystem fs, Path file, int mib) throws IOException {
    byte[] chunk = new byte[MIB];
    Random random = new Random(mib);
    try (FSDataOutputStream out = fs.create(file, true)) {
      for (int i = 0; i < mib; i++) {
        random.nextBytes(chunk);
        out.write(chunk);
      }
    }
  }

  /** Reads the whole file as a stream. */
  static void readAndCompare(FileSystem fs, Path file, int mib) throws IOException {
    byte[] expected = new byte[MIB];
    byte[] actual = new byte[MIB];
    Random random = new Random(mib);
    try (FSDataInputStream in = fs.open(file)) {
      for (int i = 0; i < mib; i++) {
        random.nextBytes(expected);
        in.readFully(actual);
        if (!Arrays.equals(expected, actual)) {
          throw new IllegalStateException("wrong bytes in MiB " + i);
        }
      }
      if (in.read() != -1) {
        throw new IllegalStateException("the file is longer than " + mib + " MiB");
      }
    }
  }
}
