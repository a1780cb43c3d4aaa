// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.hadoopprio.IoPriority;

/** What somebody without the right might send: some of it right, most of it nearly. */
final class Fuzz {

  private Fuzz() {}

  /** The content of a field on the wire. */
  static byte[] field(Random random) {
    byte[] noise = new byte[random.nextInt(12)];
    random.nextBytes(noise);
    if (random.nextBoolean()) {
      // Class and level in their places, mostly real-time.
      return new byte[] {8, (byte) (1 + random.nextInt(4)), 16, (byte) random.nextInt(10)};
    }
    return noise;
  }

  /** The value of an attribute. */
  static byte[] attribute(Random random) {
    IoPriority[] all = IoPriority.all().toArray(new IoPriority[0]);
    byte[] text = all[random.nextInt(all.length)].toBytes();
    if (random.nextInt(3) == 0) {
      return "rt:0".getBytes(StandardCharsets.US_ASCII);
    }
    if (random.nextBoolean()) {
      text[random.nextInt(text.length)] = (byte) random.nextInt();
    }
    return text;
  }
}
