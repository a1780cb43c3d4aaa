// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.hadoopprio.lab.progress.Pauses;

/** Takes files out of the page cache of the kernel. */
public final class PageEviction {

  private static final int TRIES = 10;
  private static final long PAUSE_MS = 100;

  private static final String BEING_WRITTEN = "/rbw/";

  /** O_RDONLY of include/uapi/asm-generic/fcntl.h. */
  private static final int READ_ONLY = 0;

  private static final int ENOENT = 2;

  /** POSIX_FADV_DONTNEED of include/uapi/linux/fadvise.h, but on s390. */
  private static final int DO_NOT_NEED = 4;

  static {
    Native.register(PageEviction.class, "c");
  }

  private PageEviction() {}

  private static native int open(String path, int flags) throws LastErrorException;

  private static native int posix_fadvise(int descriptor, long offset, long length, int advice);

  private static native int close(int descriptor);

  /**
   * Drops the files below a directory, other than blocks that HDFS is writing (rbw): the next
   * append to one would read its last page back, and that read would show in a trace of something
   * else. Pages that are being read ahead cannot be dropped, so it tries again for a while.
   */
  static void evict(Path directory) throws IOException {
    SystemCommand.run("sync", "-f", directory.toString());
    evict(files(directory));
    for (int tries = 1; tries < TRIES && residentBytes(directory) > 0; tries++) {
      Pauses.sleep(PAUSE_MS);
      evict(files(directory));
    }
  }

  /** Bytes of those files that are in the page cache; mincore(2), as fincore(1) tells it. */
  static long residentBytes(Path directory) throws IOException {
    // What it says of files that are gone meanwhile is dropped.
    String fincore = "fincore -n -b -r -o RES \"$@\" 2>/dev/null || true";
    List<String> line = new ArrayList<>(List.of("find", directory.toString()));
    line.addAll(List.of("-ignore_readdir_race", "-type", "f", "-size", "+0"));
    line.addAll(List.of("-not", "-path", "*" + BEING_WRITTEN + "*"));
    line.addAll(List.of("-exec", "sh", "-c", fincore, "sh", "{}", "+"));
    return SystemCommand.run(line.toArray(new String[0])).lines().mapToLong(Long::parseLong).sum();
  }

  private static List<Path> files(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            // An empty file has no pages, and fincore has nothing to say of it.
            if (attributes.isRegularFile()
                && attributes.size() > 0
                && !file.toString().contains(BEING_WRITTEN)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return orGone(e);
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            return orGone(e);
          }
        });
    return files;
  }

  /** HDFS may delete files and directories at any time. */
  private static FileVisitResult orGone(IOException e) throws IOException {
    if (e != null && !(e instanceof NoSuchFileException)) {
      throw e;
    }
    return FileVisitResult.CONTINUE;
  }

  /**
   * Drops some files, but for pages that are dirty or on their way to somebody.
   *
   * @param files that exist or existed
   */
  public static void evict(Collection<Path> files) throws IOException {
    for (Path file : files) {
      int descriptor;
      try {
        descriptor = open(file.toString(), READ_ONLY);
      } catch (LastErrorException e) {
        if (e.getErrorCode() == ENOENT) {
          continue;
        }
        throw new IOException("cannot open " + file + ": errno " + e.getErrorCode(), e);
      }
      int error = posix_fadvise(descriptor, 0, 0, DO_NOT_NEED);
      close(descriptor);
      if (error != 0) {
        throw new IOException("cannot drop " + file + " from the page cache: errno " + error);
      }
    }
  }
}
