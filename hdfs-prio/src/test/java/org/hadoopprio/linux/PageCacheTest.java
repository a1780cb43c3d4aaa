// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with this kernel's page cache and a file on the disk that the build is on. */
@Timeout(60)
class PageCacheTest {

  /** More than one page on any architecture, and the distance of the sample's bytes. */
  private static final int PIECE = 64 << 10;

  private static final int PIECES = 16;

  /** A newer kernel that is asked by a sample reads the gap, and may have done so meanwhile. */
  private static final int TRIES = 10;

  /** A number that no architecture uses: the kernel answers ENOSYS. */
  private static final long NO_SUCH_CALL = 9999;

  /** The two ways to ask. The second works on all kernels, with a side effect on newer ones. */
  enum Way {
    CACHESTAT,
    SAMPLE;

    PageCache cache() {
      if (this == SAMPLE) {
        return new PageCache(true, SyscallNumbers.here().preadv2);
      }
      String release = System.getProperty("os.version");
      Need.CACHESTAT.require(!PageCache.isOlderThanCachestat(release), "Linux 6.5, not " + release);
      return new PageCache(false, SyscallNumbers.CACHESTAT);
    }
  }

  private Path file;
  private FileChannel channel;
  private int descriptor;

  @BeforeEach
  void open() throws IOException {
    BlockDeviceTest.here();
    file = Files.createTempFile(Path.of("").toAbsolutePath(), "page-cache", ".tmp");
    channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    descriptor = number(file);
  }

  @AfterEach
  void close() throws IOException {
    if (channel != null) {
      channel.close();
      Files.delete(file);
    }
  }

  /** The number of a file that this process has open. */
  static int number(Path file) throws IOException {
    Path real = file.toRealPath();
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : (Iterable<Path>) open::iterator) {
        // The directory's own descriptor is among them, and is gone by now.
        if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(real)) {
          return Integer.parseInt(link.getFileName().toString());
        }
      }
    }
    throw new IOException(file + " is not open");
  }

  private void write(int piece, int pieces) throws IOException {
    channel.write(ByteBuffer.allocate(pieces * PIECE), (long) piece * PIECE);
  }

  private boolean resident(PageCache cache, int piece, int pieces) {
    return cache.covers(descriptor, (long) piece * PIECE, (long) pieces * PIECE);
  }

  /** Asks for what is missing only where no later step expects it to be missing still. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void knowsWhatIsCached(Way way) throws Exception {
    PageCache cache = way.cache();
    write(0, PIECES);
    assertTrue(resident(cache, 0, PIECES), "written");
    assertTrue(resident(cache, 0, PIECES), "asked before");
    CachedPages.drop(file);
    assertFalse(resident(cache, 0, PIECES), "dropped");
    boolean seen = false;
    for (int i = 0; i < TRIES && !seen; i++) {
      CachedPages.drop(file);
      write(0, 7);
      write(8, PIECES - 8);
      assertTrue(resident(cache, 0, 7), "before the gap");
      assertTrue(resident(cache, 8, PIECES - 8), "after the gap");
      assertTrue(cache.covers(descriptor, 7 * PIECE - 1, 1), "the last byte before the gap");
      assertTrue(cache.covers(descriptor, 8 * PIECE, 1), "the first byte after the gap");
      seen = !resident(cache, 0, PIECES);
    }
    assertTrue(seen, "across the gap");
  }

  @Test
  void knowsWhatIsOnTheDisk() throws Exception {
    PageCache cache = Way.CACHESTAT.cache();
    write(0, PIECES);
    channel.force(false);
    assertTrue(cache.hasNoDirty(descriptor, 0, (long) PIECES * PIECE), "synced");
    do {
      // Once, if the kernel does not write it back just now.
      write(7, 1);
    } while (cache.hasNoDirty(descriptor, 0, (long) PIECES * PIECE));
    channel.force(false);
    CachedPages.drop(file);
    assertTrue(cache.hasNoDirty(descriptor, 0, (long) PIECES * PIECE), "dropped");
    assertTrue(cache.hasNoDirty(descriptor, 0, 0), "nothing");
    assertFalse(cache.hasNoDirty(descriptor, -1, 1), "no range");
    assertFalse(Way.SAMPLE.cache().hasNoDirty(descriptor, 0, (long) PIECES * PIECE), "not known");
  }

  @Test
  void cachestatCountsPagesAndReadsNothing() throws Exception {
    PageCache cache = Way.CACHESTAT.cache();
    write(0, PIECES);
    CachedPages.drop(file);
    write(0, 7);
    write(8, PIECES - 8);
    for (int round = 0; round < 2; round++) {
      assertFalse(resident(cache, 0, PIECES), "across the gap");
      assertFalse(resident(cache, 7, 1), "the gap");
      assertFalse(cache.covers(descriptor, 7 * PIECE - 1, 2), "a byte before and one in the gap");
      assertFalse(cache.covers(descriptor, 8 * PIECE - 1, 2), "a byte in and one after the gap");
      assertFalse(cache.covers(descriptor, 7 * PIECE, 1), "the gap's first byte");
      assertFalse(cache.covers(descriptor, 8 * PIECE - 1, 1), "the gap's last byte");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void theLastPageNeedsNotBeFull(Way way) throws IOException {
    PageCache cache = way.cache();
    channel.write(ByteBuffer.allocate(3 * PIECE + 100), 0);
    assertTrue(cache.covers(descriptor, 0, 3 * PIECE + 100));
    assertTrue(cache.covers(descriptor, 3 * PIECE + 99, 1));
    assertFalse(cache.covers(descriptor, 0, 4 * PIECE + 1), "beyond the last page");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void neverThrows(Way way) throws IOException {
    PageCache cache = way.cache();
    write(0, 1);
    assertTrue(cache.covers(descriptor, 0, 0), "nothing to read");
    assertTrue(cache.covers(-1, 5, -1), "less than nothing");
    assertFalse(cache.covers(-1, 0, 1), "not open");
    assertFalse(cache.covers(descriptor, -1, 1));
    assertFalse(cache.covers(descriptor, 1, Long.MAX_VALUE));
    assertFalse(cache.covers(descriptor, 0, Long.MAX_VALUE));
    assertTrue(resident(cache, 0, 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsNotKnownIsNotResident(boolean older) throws IOException {
    PageCache cache = new PageCache(older, NO_SUCH_CALL);
    write(0, 1);
    assertFalse(resident(cache, 0, 1));
    assertTrue(cache.covers(descriptor, 0, 0), "nothing to read");
  }

  @Test
  void aFileThatWasClosedMeanwhileTellsNothingOfOthers() {
    boolean refused = PageCache.isRefused();
    assertFalse(PageCache.isResident(-1, 0, 1));
    assertEquals(refused, PageCache.isRefused());
  }

  @Test
  void knowsTheKernelsAge() {
    assertTrue(PageCache.isOlderThanCachestat("4.18.0-553.el8_10.x86_64"));
    assertTrue(PageCache.isOlderThanCachestat("6.4.16"));
    assertFalse(PageCache.isOlderThanCachestat("6.5"));
    assertFalse(PageCache.isOlderThanCachestat("6.12.0-55.el10"));
    assertFalse(PageCache.isOlderThanCachestat("7.0-rc1"));
    assertFalse(PageCache.isOlderThanCachestat("unknown"));
  }

  @Test
  void thisKernelAnswers() throws Exception {
    write(0, PIECES);
    assertTrue(PageCache.isResident(descriptor, 0, PIECES * PIECE));
    CachedPages.drop(file);
    assertFalse(PageCache.isResident(descriptor, 0, PIECES * PIECE));
  }

  /** Whatever the disk's read-ahead is. */
  @Test
  void whatIsLoadedIsThereAndNothingElse() throws Exception {
    write(0, PIECES);
    CachedPages.drop(file);
    PageCache.readNothingAhead(descriptor);
    assertTrue(PageCache.load(descriptor, PIECE, 2 * PIECE));
    assertTrue(PageCache.isResident(descriptor, PIECE, 2 * PIECE));
    assertFalse(PageCache.isResident(descriptor, 0, 1));
    assertFalse(PageCache.isResident(descriptor, 3 * PIECE, 1));
  }

  @Test
  void nothingIsLoadedBeyondTheEnd() throws IOException {
    channel.write(ByteBuffer.allocate(1), PIECE - 1);
    assertFalse(PageCache.load(descriptor, 0, PIECE + 1));
  }
}
