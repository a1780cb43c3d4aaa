// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    "--priority, none, 'allowed: rt, be and idle'",
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
