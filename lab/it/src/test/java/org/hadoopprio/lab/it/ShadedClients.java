// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.hadoopprio.lab.cluster.Installation;

/** Class paths of Hadoop's and HBase's shaded clients: those, and what is not in them. */
final class ShadedClients {

  /** Of what they depend on, what an application brings itself. */
  private static final Pattern NOT_SHADED =
      Pattern.compile("slf4j-|reload4j|commons-logging|opentelemetry");

  private ShadedClients() {}

  /** Hadoop's. */
  static List<Path> hadoop() throws IOException {
    return with("hadoop-client-api.jar", "hadoop-client-runtime.jar");
  }

  /** HBase's, which has Hadoop's in it. */
  static List<Path> hbase() throws IOException {
    return with("hbase-shaded-client.jar", "opentelemetry-semconv.jar");
  }

  private static List<Path> with(String... names) throws IOException {
    Installation installation = Installation.find();
    List<Path> classPath = new ArrayList<>();
    for (String name : names) {
      Path jar = installation.home().resolve("lab/cluster/target/lib-shaded").resolve(name);
      assertTrue(Files.exists(jar), jar.toString());
      classPath.add(jar);
    }
    for (Path jar : installation.jars()) {
      if (NOT_SHADED.matcher(jar.getFileName().toString()).find()) {
        classPath.add(jar);
      }
    }
    return classPath;
  }
}
