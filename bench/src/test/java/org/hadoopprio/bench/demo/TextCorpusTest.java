package org.hadoopprio.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextCorpusTest {

  @TempDir Path root;

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    try (OutputStream raw = Files.newOutputStream(file);
        OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(raw) : raw) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String text(TextCorpus.Cursor cursor, long bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertEquals(cursor.write(out, bytes), out.size());
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void takesTextUnpacksItAndLeavesTheRest() throws IOException {
    write("common-licenses/GPL-3", "licence ");
    write("doc/tool/changelog.Debian.gz", "change ");
    write("doc/tool/copyright", "copyright ");
    write("doc/tool/changelog.png", "picture ");
    write("doc/tool/tool.jar", "archive ");
    write("man/man1/tool.1.gz", "manual ");
    write("perl/5/Tool.pm", "module ");
    TextCorpus corpus = TextCorpus.of(List.of(root));
    assertEquals(5, corpus.files());
    assertEquals("licence change copyright manual module ", text(corpus.cursor(), 35));
  }

  @Test
  void repeatsUntilThereIsEnoughAndGoesOnWhereItStopped() throws IOException {
    write("common-licenses/A", "aaaa");
    write("common-licenses/B", "bb");
    TextCorpus.Cursor cursor = TextCorpus.of(List.of(root)).cursor();
    assertEquals("aaaabbaaaa", text(cursor, 7));
    assertEquals("bb", text(cursor, 1));
  }

  @Test
  void leavesLinksOut() throws IOException {
    write("common-licenses/A", "aaaa");
    Files.createSymbolicLink(root.resolve("common-licenses/LINK"), root.resolve("missing"));
    assertEquals(1, TextCorpus.of(List.of(root)).files());
  }

  @Test
  void refusesASystemWithoutText() {
    assertThrows(IOException.class, () -> TextCorpus.of(List.of(root)));
    assertThrows(IOException.class, () -> TextCorpus.of(List.of(root.resolve("missing"))));
  }

  @Test
  void emptyPackedFilesDoNotGoOnForEver() throws IOException {
    write("doc/tool/changelog.gz", "");
    TextCorpus.Cursor cursor = TextCorpus.of(List.of(root)).cursor();
    IOException refused = assertThrows(IOException.class, () -> text(cursor, 1));
    assertTrue(refused.getMessage().contains("empty"), refused.getMessage());
  }
}
