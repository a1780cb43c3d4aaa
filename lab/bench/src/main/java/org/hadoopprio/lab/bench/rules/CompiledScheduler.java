// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.rules;

import java.io.Closeable;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The scheduler, compiled from sources beside the one on the class path, and cells to run on it.
 */
final class CompiledScheduler implements Closeable {

  private static final String DECIDES = "org.hadoopprio.disktime";
  private static final String WAITS = "org.hadoopprio.hdfs.datanode.scheduler";

  /** What the cells need of the tests. */
  private static final List<String> CELLS = List.of("RuleCells", "ClassesInOrder", "Tickets");

  private final Path directory;
  private final URLClassLoader loader;

  /** A source file in memory. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("memory:///" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /**
   * Compiles the scheduler.
   *
   * @param sources by name
   */
  CompiledScheduler(Map<String, String> sources) throws IOException {
    this.directory = Files.createTempDirectory("hprio-rules");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options = List.of("-d", directory.toString(), "-proc:none", "-nowarn");
    List<Source> files = new ArrayList<>();
    sources.forEach((name, text) -> files.add(new Source(name, text)));
    if (!compiler.getTask(messages, null, null, options, null, files).call()) {
      throw new IOException("the scheduler without a rule does not compile: " + messages);
    }
    URL[] path = {directory.toUri().toURL()};
    this.loader =
        new URLClassLoader(path, getClass().getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(DECIDES + ".") && !name.startsWith(WAITS + ".")) {
              return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
              Class<?> loaded = findLoadedClass(name);
              return loaded == null ? findClass(name) : loaded;
            }
          }
        };
  }

  /**
   * The sources of the scheduler, and of the cells.
   *
   * @param home the project's directory
   */
  static Map<String, String> sources(Path home) throws IOException {
    Map<String, String> sources = new TreeMap<>();
    List<Path> files = new ArrayList<>();
    for (Path directory :
        List.of(
            directory(home, "hdfs-prio/disktime/src/main", DECIDES),
            directory(home, "hdfs-prio/src/main", WAITS))) {
      try (Stream<Path> found = Files.list(directory)) {
        found.filter(file -> !file.endsWith("package-info.java")).forEach(files::add);
      }
    }
    Path tests = directory(home, "hdfs-prio/src/test", WAITS);
    CELLS.forEach(name -> files.add(tests.resolve(name + ".java")));
    for (Path file : files) {
      String name = file.getFileName().toString();
      sources.put(name.substring(0, name.length() - ".java".length()), Files.readString(file));
    }
    return sources;
  }

  private static Path directory(Path home, String sources, String ofPackage) {
    return home.resolve(sources).resolve("java").resolve(ofPackage.replace('.', '/'));
  }

  /** The cells by name: each a function from a seed to figures by name. */
  Map<String, LongFunction<Map<String, Double>>> cells() {
    try {
      Object cells = loader.loadClass(WAITS + ".RuleCells").getDeclaredConstructor().newInstance();
      @SuppressWarnings("unchecked") // It says so.
      var supplier = (Supplier<Map<String, LongFunction<Map<String, Double>>>>) cells;
      return new LinkedHashMap<>(supplier.get());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    loader.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).collect(Collectors.toList())) {
        Files.delete(file);
      }
    }
  }
}
