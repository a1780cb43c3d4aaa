// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests with a file on the disk that the build is on. */
class FileExtentTest {

  private static final int BYTES = 1 << 20;
  private static final long HOLE_END = 16L << 20;

  private Path path;
  private RandomAccessFile file;

  @BeforeEach
  void open() throws IOException {
    BlockDeviceTest.here();
    path = Files.createTempFile(Path.of("").toAbsolutePath(), "file-extent", ".tmp");
    file = new RandomAccessFile(path.toFile(), "rw");
    file.write(new byte[BYTES]);
    file.getFD().sync();
  }

  @AfterEach
  void close() throws IOException {
    if (file != null) {
      file.close();
      Files.delete(path);
    }
  }

  private FileExtent extent(long offset) throws IOException {
    return FileExtent.of(PageCacheTest.number(path), offset);
  }

  @Test
  void dataHaveAPlaceThatGrowsWithTheOffset() throws IOException {
    FileExtent first = extent(0);
    assertTrue(first.covers(0));
    assertNotEquals(FileExtent.UNKNOWN, first.place(0));
    assertEquals(first.place(0) + 100, first.place(100));
    // From the middle of an extent the file system tells the same.
    assertEquals(first.place(4096), extent(4096).place(4096));
  }

  @Test
  void twoFilesAreInTwoPlaces() throws IOException {
    Path other = Files.createTempFile(path.getParent(), "file-extent", ".tmp");
    try (RandomAccessFile second = new RandomAccessFile(other.toFile(), "rw")) {
      second.write(new byte[BYTES]);
      second.getFD().sync();
      FileExtent extent = FileExtent.of(PageCacheTest.number(other), 0);
      assertTrue(Math.abs(extent.place(0) - extent(0).place(0)) >= 4096);
    } finally {
      Files.delete(other);
    }
  }

  @Test
  void anExtentSaysNothingOfTheRest() throws IOException {
    FileExtent first = extent(0);
    assertFalse(first.covers(BYTES + HOLE_END));
    assertEquals(FileExtent.UNKNOWN, first.place(BYTES + HOLE_END));
    assertEquals(FileExtent.UNKNOWN, first.place(-1));
  }

  @Test
  void aHoleHasNoPlace() throws IOException {
    file.seek(HOLE_END);
    file.write(1);
    file.getFD().sync();
    FileExtent hole = extent(HOLE_END / 2);
    assertTrue(hole.covers(HOLE_END - 1));
    assertFalse(hole.covers(HOLE_END));
    assertEquals(FileExtent.UNKNOWN, hole.place(HOLE_END / 2));
    assertNotEquals(FileExtent.UNKNOWN, extent(HOLE_END).place(HOLE_END));
    assertEquals(FileExtent.UNKNOWN, extent(HOLE_END * 2).place(HOLE_END * 2));
  }

  @Test
  void whatIsNoFileOnADiskHasNoPlace() throws IOException {
    Path zero = Path.of("/dev/zero");
    try (InputStream in = Files.newInputStream(zero)) {
      FileExtent none = FileExtent.of(PageCacheTest.number(zero), 0);
      assertEquals(0, in.read());
      assertTrue(none.covers(1L << 40));
      assertEquals(FileExtent.UNKNOWN, none.place(0));
    }
    assertEquals(FileExtent.UNKNOWN, FileExtent.of(-1, 0).place(0));
  }
}
