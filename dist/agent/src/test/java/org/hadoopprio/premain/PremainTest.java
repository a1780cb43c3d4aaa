// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.premain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PremainTest {

  private static final int JAVA_8 = 52;

  @Test
  void theAgentsEntryLoadsOnJava8() throws IOException {
    try (DataInputStream in =
        new DataInputStream(Premain.class.getResourceAsStream("Premain.class"))) {
      assertEquals(0xCAFEBABE, in.readInt());
      in.readUnsignedShort();
      assertEquals(JAVA_8, in.readUnsignedShort());
    }
  }
}
