// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.tools.doctor.checks.KernelCalls;
import org.hadoopprio.tools.node.DaemonRole;
import org.hadoopprio.tools.node.FakeDaemon;
import org.hadoopprio.tools.node.Finding;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.SiteFiles;
import org.hadoopprio.tools.top.TopCommand;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Daemons whose web pages are not open to everybody. {@code KerberosIT} has a login that succeeds.
 */
class SecureDaemonTest {

  private static final KernelCalls CALLS = new FakeCalls();

  @TempDir private static Path keys;
  private static TlsKey key;

  @TempDir private Path root;
  @TempDir private Path site;

  @BeforeAll
  static void makeKey() throws IOException, InterruptedException {
    key = new TlsKey(keys);
  }

  @BeforeEach
  void writeSite() throws IOException {
    Files.writeString(site.resolve("core-site.xml"), "<configuration/>");
  }

  private Report examine(String url) throws IOException {
    return new Doctor(HostTree.unpack("vm.tree", root), CALLS, "")
        .conf(SiteFiles.of(site))
        .http(url)
        .examine();
  }

  /** What the report says of the daemon: the severity, then the line. */
  private static String daemon(Report report) {
    List<Finding> found =
        report.findings().stream()
            .filter(f -> f.check().equals("daemon"))
            .collect(Collectors.toList());
    assertEquals(1, found.size(), report.toText());
    return found.get(0).severity() + " " + found.get(0);
  }

  @Test
  void httpsIsReadWithTheTrustStoreOfSslClientXml() throws Exception {
    Files.writeString(site.resolve("ssl-client.xml"), key.sslClientXml());
    try (FakeDaemon daemon = new FakeDaemon(key.context())) {
      Report report = examine("https://" + daemon.address());
      assertTrue(
          report.findings().stream()
              .anyMatch(f -> f.check().equals("agent") && f.text().contains("stock Hadoop")),
          report.toText());
    }
  }

  @Test
  void aCertificateThatIsNotTrustedIsNoProblemOfTheDaemon() throws Exception {
    try (FakeDaemon daemon = new FakeDaemon(key.context())) {
      Report report = examine("https://" + daemon.address());
      String said = daemon(report);
      assertTrue(said.startsWith("SKIPPED"), said);
      assertTrue(said.contains("PKIX") && said.contains("ssl-client.xml"), said);
      assertFalse(report.hasProblems(), report.toText());
    }
  }

  @Test
  void withoutATicketItSaysWhatToDo() throws Exception {
    try (FakeDaemon daemon = new FakeDaemon().requiresKerberos()) {
      Report report = examine("http://" + daemon.address());
      String said = daemon(report);
      assertTrue(said.startsWith("SKIPPED"), said);
      assertTrue(said.contains("requires a login") && said.contains("kinit"), said);
      assertFalse(report.hasProblems(), report.toText());
    }
  }

  @Test
  void topSaysWhatToDoToo() throws Exception {
    StringWriter err = new StringWriter();
    try (FakeDaemon daemon = new FakeDaemon().requiresKerberos()) {
      int exit =
          new CommandLine(new TopCommand())
              .setErr(new PrintWriter(err, true))
              .execute("--http", daemon.address());
      assertEquals(1, exit);
      assertTrue(err.toString().contains("kinit"), err.toString());
    }
  }

  /** Nothing listens on port 1. */
  @Test
  void theAddressIsTheOneOfThePolicy() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("dfs.http.policy", "HTTPS_ONLY");
    conf.set("dfs.datanode.http.address", "127.0.0.1:2");
    conf.set("dfs.datanode.https.address", "127.0.0.1:1");
    Report report =
        new Doctor(HostTree.unpack("node.tree", root), CALLS, "").conf(conf).pid(4545).examine();
    String said = daemon(report);
    assertTrue(said.startsWith("PROBLEM"), said);
    assertTrue(said.contains("does not answer at https://127.0.0.1:1"), said);
  }

  @Test
  void aCertificateAndAPrincipalNameTheHost() {
    Configuration conf = new Configuration(false);
    assertEquals("http://0.0.0.0:9864", DaemonRole.DATANODE.url(conf));
    assertEquals("http://0.0.0.0:16030", DaemonRole.REGIONSERVER.url(conf));
    assertFalse(DaemonRole.DATANODE.requiresLogin(conf));
    conf.set("hbase.ssl.enabled", "true");
    conf.set("hbase.regionserver.info.port", "16031");
    conf.set("dfs.http.policy", "https_only");
    conf.set("hadoop.http.authentication.type", "kerberos");
    assertEquals("https://0.0.0.0:9865", DaemonRole.DATANODE.url(conf));
    assertEquals("https://0.0.0.0:16031", DaemonRole.REGIONSERVER.url(conf));
    assertTrue(DaemonRole.DATANODE.requiresLogin(conf));
    assertFalse(DaemonRole.REGIONSERVER.requiresLogin(conf));
  }
}
