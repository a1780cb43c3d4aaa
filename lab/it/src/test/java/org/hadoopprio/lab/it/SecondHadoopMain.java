// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A client with a second Hadoop in a class loader of its own: {@code CLASS_PATH first|last
 * isolated|child-first ARGUMENTS}. Each Hadoop runs {@link SampleFile} with the arguments.
 */
public final class SecondHadoopMain {

  /** As of application servers and jobs: its own classes first, then those of the application. */
  private static final class ChildFirst extends URLClassLoader {

    ChildFirst(URL[] urls) {
      super(urls, SecondHadoopMain.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> found = findLoadedClass(name);
        if (found == null) {
          try {
            found = findClass(name);
          } catch (ClassNotFoundException e) {
            return super.loadClass(name, resolve);
          }
        }
        return found;
      }
    }

    @Override
    public URL getResource(String name) {
      URL found = findResource(name);
      return found == null ? super.getResource(name) : found;
    }
  }

  private SecondHadoopMain() {}

  /** Exits with an exception, and so with 1, where one of the two cannot read. */
  public static void main(String[] args) throws Exception {
    String[] arguments = List.of(args).subList(3, args.length).toArray(new String[0]);
    if (args[1].equals("last")) {
      SampleFile.main(arguments);
    }
    try (URLClassLoader second = loader(args[0], args[2])) {
      runIn(second, arguments);
    }
    // Also after the second Hadoop has come.
    SampleFile.main(arguments);
  }

  private static URLClassLoader loader(String classPath, String kind) throws IOException {
    List<URL> urls = new ArrayList<>();
    String site = ClassLoader.getSystemResource("core-site.xml").toString();
    urls.add(new URL(site.substring(0, site.lastIndexOf('/') + 1)));
    for (String entry : classPath.split(":", -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    URL[] all = urls.toArray(new URL[0]);
    return kind.equals("isolated")
        ? new URLClassLoader(all, ClassLoader.getPlatformClassLoader())
        : new ChildFirst(all);
  }

  private static void runIn(ClassLoader second, String[] arguments) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(second);
    try {
      Class<?> reader = second.loadClass(SampleFile.class.getName());
      if (reader.getClassLoader() != second) {
        throw new IllegalStateException("it is of " + reader.getClassLoader());
      }
      reader.getMethod("main", String[].class).invoke(null, (Object) arguments);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
