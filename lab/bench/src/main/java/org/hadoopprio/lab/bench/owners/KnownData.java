// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;

/** Data that can be told from its seed, in pieces. */
final class KnownData {

  private static final int PIECE_BYTES = 1 << 20;

  private KnownData() {}

  /** Some bytes, the same for the same seed. */
  static byte[] bytes(long seed, int length) {
    byte[] data = new byte[length];
    new Random(seed).nextBytes(data);
    return data;
  }

  private static byte[] piece(long seed, int number) {
    return bytes(seed * Integer.MAX_VALUE + number, PIECE_BYTES);
  }

  /** Writes some pieces, each of a MiB, the first being 0. */
  static void write(OutputStream out, long seed, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      out.write(piece(seed, i));
    }
  }

  /**
   * Reads data to its end and compares it.
   *
   * @throws IOException if it is not what was written
   */
  static void check(InputStream in, long seed, int pieces) throws IOException {
    byte[] read = new byte[PIECE_BYTES];
    for (int i = 0; i < pieces; i++) {
      if (in.readNBytes(read, 0, PIECE_BYTES) < PIECE_BYTES) {
        throw new IOException("the data ends in MiB " + i + " of " + pieces);
      }
      if (!Arrays.equals(read, piece(seed, i))) {
        throw new IOException("MiB " + i + " differs from what was written");
      }
    }
    if (in.read() >= 0) {
      throw new IOException("there is more than the " + pieces + " MiB that were written");
    }
  }
}
