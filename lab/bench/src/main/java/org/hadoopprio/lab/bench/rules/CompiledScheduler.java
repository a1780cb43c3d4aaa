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
  private static final String RUNS = "org.hadoopprio.simulation";

  /** What the cells need of the tests. */
  private static final List<String> CELLS = List.of("RuleCells", "ClassesInOrder", "Stated");

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
            if (!name.startsWith(DECIDES + ".") && !name.startsWith(RUNS + ".")) {
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
   * The sources of the scheduler, of what runs it in virtual time, and of the cells.
   *
   * @param home the project's directory
   */
  static Map<String, String> sources(Path home) throws IOException {
    Path modules = home.resolve("hdfs-prio");
    Map<String, String> sources = sources(modules.resolve("disktime/src/main"), DECIDES);
    sources.putAll(sources(modules.resolve("simulation/src/main"), RUNS));
    Map<String, String> tests = sources(modules.resolve("simulation/src/test"), RUNS);
    CELLS.forEach(name -> sources.put(name, tests.get(name)));
    return sources;
  }

  /** The sources of a package by name. */
  static Map<String, String> sources(Path root, String ofPackage) throws IOException {
    Map<String, String> sources = new TreeMap<>();
    Path directory = root.resolve("java").resolve(ofPackage.replace('.', '/'));
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (!name.equals("package-info.java")) {
          sources.put(name.substring(0, name.length() - ".java".length()), Files.readString(file));
        }
      }
    }
    return sources;
  }

  /** The cells by name: each a function from a seed to figures by name. */
  Map<String, LongFunction<Map<String, Double>>> cells() {
    try {
      Object cells = loader.loadClass(RUNS + ".RuleCells").getDeclaredConstructor().newInstance();
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
