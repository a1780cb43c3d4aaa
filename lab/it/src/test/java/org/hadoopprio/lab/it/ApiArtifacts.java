// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hadoopprio.lab.cluster.Installation;

/** What the build of hbase-prio-api has installed for its own test, and built against that. */
final class ApiArtifacts {

  private static final String TARGET = "hbase-prio/api/target";

  private ApiArtifacts() {}

  /** The classes of the project "examples". */
  static Path examples() throws IOException {
    return existing("it/examples/target/classes");
  }

  /** The jar of hdfs-prio-api. */
  static Path hdfsApi() throws IOException {
    return installed("hdfs-prio-api");
  }

  /** The jar of hbase-prio-api. */
  static Path hbaseApi() throws IOException {
    return installed("hbase-prio-api");
  }

  private static Path installed(String artifact) throws IOException {
    String version = Installation.version();
    return existing(
        String.join(
            "/",
            "it-repository/org/hadoopprio",
            artifact,
            version,
            artifact + "-" + version + ".jar"));
  }

  private static Path existing(String name) throws IOException {
    Path file = Installation.find().home().resolve(TARGET).resolve(name);
    assertTrue(Files.exists(file), file + " is missing: \"mvn verify\" makes it");
    return file;
  }
}
