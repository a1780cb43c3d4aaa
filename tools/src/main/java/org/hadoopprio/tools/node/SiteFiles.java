// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Hadoop's and HBase's site files on this host. */
public final class SiteFiles {

  private static final List<String> NAMES =
      List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml");

  /** Finds files of a directory before those of the class path. */
  private static final class DirectoryFirst extends URLClassLoader {

    private DirectoryFirst(URL directory) {
      super(new URL[] {directory}, SiteFiles.class.getClassLoader());
    }

    @Override
    public URL getResource(String name) {
      URL own = findResource(name);
      return own == null ? super.getResource(name) : own;
    }
  }

  private SiteFiles() {}

  /** Those of the class path, which is that of this node's clients. */
  public static Configuration ofClassPath() {
    Configuration read = new Configuration();
    NAMES.forEach(read::addResource);
    return read;
  }

  /**
   * Those of a directory, which is also the first place where ssl-client.xml is looked for.
   *
   * @throws IllegalArgumentException if it has none
   */
  public static Configuration of(Path directory) {
    Configuration read = new Configuration(false);
    boolean found = false;
    for (String name : NAMES) {
      Path file = directory.resolve(name);
      if (Files.isReadable(file)) {
        found = true;
        read.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
    if (!found) {
      throw new IllegalArgumentException(directory + " has none of " + String.join(", ", NAMES));
    }
    try {
      read.setClassLoader(new DirectoryFirst(directory.toUri().toURL()));
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
    return read;
  }
}
