package org.hadoopprio.bench.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Real text that every Debian and Ubuntu system carries: licences, package documents, manual pages
 * and Perl's modules. Immutable.
 */
final class TextCorpus {

  private static final List<Path> ROOTS =
      List.of(
          Path.of("/usr/share/common-licenses"),
          Path.of("/usr/share/doc"),
          Path.of("/usr/share/man"),
          Path.of("/usr/share/perl"),
          Path.of("/usr/share/perl5"),
          Path.of("/usr/lib"));

  /** Package documents, manual pages and Perl's modules and manuals, some of them compressed. */
  private static final Pattern TEXT =
      Pattern.compile(
          ".*/common-licenses/[^/]+"
              + "|.*/doc/.*/(?:copyright|changelog|news|readme|authors|todo)[^/]*"
              + "|.*/man/.*\\.[1-8][^/]*\\.gz"
              + "|.*/perl[^/]*/.*\\.(?:pm|pl|pod)",
          Pattern.CASE_INSENSITIVE);

  /** Compressed in a way the JDK cannot read, or not text. */
  private static final Pattern NOT_TEXT =
      Pattern.compile(".*\\.(?:xz|bz2|zst|png|svg|pdf|jpg|css|js)", Pattern.CASE_INSENSITIVE);

  private static final int BUFFER_BYTES = 1 << 16;

  private final List<Path> files;

  private TextCorpus(List<Path> files) {
    this.files = Collections.unmodifiableList(files);
  }

  /**
   * Looks for the text of this system.
   *
   * @throws IOException if there is none
   */
  static TextCorpus ofThisSystem() throws IOException {
    return of(ROOTS);
  }

  /** Looks for text below some directories; those that do not exist are left out. */
  static TextCorpus of(List<Path> roots) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path root : roots) {
      if (Files.isDirectory(root)) {
        Files.walkFileTree(root, new Collector(found));
      }
    }
    if (found.isEmpty()) {
      throw new IOException("no text found below " + roots);
    }
    Collections.sort(found);
    return new TextCorpus(found);
  }

  private static final class Collector extends SimpleFileVisitor<Path> {

    private final List<Path> found;

    Collector(List<Path> found) {
      this.found = found;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      // Links are left out: many packages share one file.
      if (attributes.isRegularFile()
          && attributes.size() > 0
          && Files.isReadable(file)
          && TEXT.matcher(file.toString()).matches()
          && !NOT_TEXT.matcher(file.toString()).matches()) {
        found.add(file);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      // What this user may not read is no part of the corpus.
      return FileVisitResult.CONTINUE;
    }
  }

  /** How many files the text comes from. */
  int files() {
    return files.size();
  }

  /** A reader that begins at the first file and, after the last, begins anew. */
  Cursor cursor() {
    return new Cursor();
  }

  /** A place in the endlessly repeated text; not safe for use by several threads at once. */
  final class Cursor {

    private int next;
    private int filesSinceText;

    /**
     * Writes whole files one after the other, unpacked, until at least {@code bytes} are written.
     *
     * @return how many bytes were written
     */
    long write(OutputStream out, long bytes) throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      long written = 0;
      while (written < bytes) {
        long before = written;
        try (InputStream in = open(files.get(next))) {
          for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            out.write(buffer, 0, n);
            written += n;
          }
        }
        next = (next + 1) % files.size();
        filesSinceText = written > before ? 0 : filesSinceText + 1;
        if (filesSinceText == files.size()) {
          throw new IOException("the text files are all empty");
        }
      }
      return written;
    }

    private InputStream open(Path file) throws IOException {
      InputStream raw = Files.newInputStream(file);
      if (!file.toString().endsWith(".gz")) {
        return raw;
      }
      try {
        return new GZIPInputStream(raw, BUFFER_BYTES);
      } catch (IOException e) {
        raw.close();
        throw e;
      }
    }
  }
}
