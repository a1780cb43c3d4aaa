// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.hadoopprio.lab.cluster.Installation;
import org.junit.jupiter.api.Test;

/** The packages in containers with systemd: {@code dist/test/packages} says what is checked. */
class PackagesIT {

  private static final int CANNOT_BE_RUN = 3;

  @Test
  void bothPackagesInstallUpgradeAndGo() throws Exception {
    Clusters.requireRoot("a container");
    ProcessBuilder builder =
        new ProcessBuilder(Installation.find().home().resolve("dist/test/packages").toString())
            .redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status == CANNOT_BE_RUN) {
      Clusters.missing(said, null);
    }
    assertEquals(0, status, said);
  }
}
