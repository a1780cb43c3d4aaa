// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hadoopprio.linux.PageCache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What leaves the page cache for a proof. In target, because a temporary directory may be RAM. */
class BlockReplicaTest {

  private static final int MIB = 1 << 20;

  private final Path file = Path.of("target", "block-replica-" + ProcessHandle.current().pid());

  @AfterEach
  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  @Test
  void theRowLeavesThePageCacheAndTheRestOfItsBlockStays() throws IOException {
    Files.write(file, new byte[16 * MIB]);
    long row = 8 * MIB + 5000;
    assertTrue(new BlockReplica("/v", file, row - 100_000, row, List.of(), -1).evict());
    assertTrue(isResident(1000));
    assertTrue(isResident(15 * MIB));
    assertEquals(false, isResident(row - 90_000));
  }

  private boolean isResident(long offset) throws IOException {
    NativeLibrary c = NativeLibrary.getInstance("c");
    int descriptor = c.getFunction("open").invokeInt(new Object[] {file.toString(), 0});
    try {
      return PageCache.isResident(descriptor, offset, 1);
    } finally {
      c.getFunction("close").invokeInt(new Object[] {descriptor});
    }
  }
}
