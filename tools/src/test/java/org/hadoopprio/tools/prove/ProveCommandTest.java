// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What is not allowed; ProveIT of lab/it has the rest. */
class ProveCommandTest {

  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new ProveCommand())
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "--priority, rt:9, 'I/O priority \"rt:9\" is not allowed; allowed: '",
    "--priority, none, 'allowed: rt, and be:0 to be:4; HBase reads a row at normal at least'",
    "--priority, idle, 'allowed: rt, and be:0 to be:4; HBase reads a row at normal at least'",
    "--priority, be:5, 'allowed: rt, and be:0 to be:4; HBase reads a row at normal at least'",
    "--conf, /proc, '/proc has none of core-site.xml'"
  })
  void anOptionThatIsNotAllowedIsRefused(String option, String value, String said) {
    assertEquals(2, run("t", "r", option, value));
    assertTrue(err.toString().contains(option) && err.toString().contains(said), err.toString());
  }

  /** A RegionServer that hangs, as HBase's client meets it: a minute for each call by default. */
  @Test
  void nothingIsWaitedForLongerThanAnOperatorWaits() throws Exception {
    ProveCommand command = new ProveCommand();
    new CommandLine(command).parseArgs("t", "r");
    Constructor<ConnectionConfiguration> made =
        ConnectionConfiguration.class.getDeclaredConstructor(Configuration.class);
    made.setAccessible(true);
    ConnectionConfiguration client = made.newInstance(command.site());
    Map<String, Integer> waits =
        Map.of(
            "rpc", client.getRpcTimeout(),
            "read", client.getReadRpcTimeout(),
            "read of meta", client.getMetaReadRpcTimeout(),
            "scan", client.getScanTimeout(),
            "scan of meta", client.getMetaScanTimeout(),
            "operation", client.getOperationTimeout(),
            "operation on meta", client.getMetaOperationTimeout());
    waits.forEach((what, millis) -> assertTrue(millis <= 10_000, what + ": " + millis));
    assertTrue(client.getRetriesNumber() <= 2, "tries");
  }

  /** Also where TLS and Kerberos look: hbase's way to make a configuration copies keys only. */
  @Test
  void theDirectoryIsWhereFilesAreLookedFor(@TempDir Path directory) throws Exception {
    for (String name : List.of("core-site.xml", "ssl-client.xml")) {
      Files.writeString(directory.resolve(name), "<configuration/>");
    }
    ProveCommand command = new ProveCommand();
    new CommandLine(command).parseArgs("t", "r", "--conf", directory.toString());
    assertEquals(
        directory.resolve("ssl-client.xml").toUri().toURL(),
        command.site().getResource("ssl-client.xml"));
  }

  /**
   * Told at once: HBase's and HDFS's clients would name protocols. Without a krb5.conf, which a JVM
   * reads once, the realm is missing, and that is told.
   */
  @Test
  void aClusterWithKerberosNeedsATicket(@TempDir Path directory) throws Exception {
    Files.writeString(
        directory.resolve("core-site.xml"),
        "<configuration><property><name>hadoop.security.authentication</name>"
            + "<value>kerberos</value></property></configuration>");
    try {
      assertEquals(2, run("t", "r", "--conf", directory.toString()));
      assertTrue(
          err.toString().matches("hprio prove: the cluster requires Kerberos, .* kinit .*\\s*"),
          err.toString());
    } finally {
      UserGroupInformation.reset();
    }
  }

  static Stream<Arguments> denials() {
    String hdfs =
        "Permission denied: user=bob, access=EXECUTE, inode=\"/hbase\":hbase:x:drwx------";
    String hbase =
        "Insufficient permissions (user=bob@R, scope=default:t, family=f, params=[], action=READ)";
    String byHdfs = "user bob lacks EXECUTE on /hbase in HDFS; ";
    return Stream.of(
        Arguments.of(new AccessControlException(hdfs + "\n\tat a.B.c(B.java:1)"), byHdfs),
        Arguments.of(
            new IOException("x", new RemoteException(AccessControlException.class.getName(), hdfs)),
            byHdfs),
        Arguments.of(
            new IOException("tried", new AccessDeniedException(hbase)),
            "user bob@R lacks READ on default:t in HBase (Insufficient"),
        Arguments.of(
            new AccessDeniedException("Insufficient permissions (table=t, action=READ)"),
            "this user lacks READ on t in HBase ("));
  }

  @ParameterizedTest
  @MethodSource("denials")
  void whoLacksWhichRightIsTold(IOException e, String said) {
    String words = ProveFailure.access(e).orElse("");
    assertTrue(words.startsWith(said), words);
    assertEquals(Optional.empty(), ProveFailure.access(new IOException("refused")));
  }

  @Test
  void aTableIsNamedAsInHBase() {
    assertEquals(2, run("a b", "r"));
    assertTrue(err.toString().contains("TABLE = a b: "), err.toString());
  }

  @Test
  void tableAndRowAreRequired() {
    assertEquals(2, run("t"));
    assertTrue(err.toString().contains("ROW"), err.toString());
  }
}
