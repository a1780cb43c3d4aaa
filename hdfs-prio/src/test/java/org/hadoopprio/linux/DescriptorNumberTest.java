// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileDescriptor;
import org.junit.jupiter.api.Test;

/** Tests without the agent; EnginesIT shows that the number is found with it. */
class DescriptorNumberTest {

  @Test
  void withoutTheAgentItSaysWhatIsMissing() {
    if (Object.class.getModule().isOpen("java.io", DescriptorNumber.class.getModule())) {
      assertEquals(0, DescriptorNumber.of(FileDescriptor.in));
    } else {
      String message =
          assertThrows(IllegalStateException.class, () -> DescriptorNumber.of(FileDescriptor.in))
              .getMessage();
      assertTrue(message.contains("--add-opens java.base/java.io"), message);
    }
  }
}
