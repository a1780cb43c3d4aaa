// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.Test;

/** What {@code dist/test} has of the packages; each program says what is checked. */
class PackagesIT {

  private static final int CANNOT_BE_RUN = 3;

  /** In containers with systemd. */
  @Test
  void bothPackagesInstallUpgradeAndGo() throws Exception {
    Clusters.requireRoot("a container");
    run("dist/test/packages");
  }

  /** The playbooks for Ansible, without the containers. */
  @Test
  void thePlaybooksAreValidAndRefuseWrongVariables() throws Exception {
    run("dist/test/ansible", "--static");
  }

  /** The module for Puppet, without the containers. */
  @Test
  void theModuleForPuppetHasNoFindings() throws Exception {
    run("dist/test/puppet", "--static");
  }

  private static void run(String program, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(options));
    command.add(0, Installation.find().home().resolve(program).toString());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status == CANNOT_BE_RUN) {
      Need.CONTAINER.missing(said, null);
    }
    assertEquals(0, status, said);
  }
}
