// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a policy file must not contain, and the exact messages, which docs/troubleshooting.md
 * explains.
 */
class PolicyReaderTest {

  private static final Path TROUBLESHOOTING = Path.of("..", "docs", "troubleshooting.md");
  private static final String BEGIN = "<io-priority-policy>";
  private static final String END = "</io-priority-policy>";

  @TempDir private Path directory;

  private static Arguments inside(String message, String... lines) {
    String[] all = new String[lines.length + 2];
    all[0] = BEGIN;
    System.arraycopy(lines, 0, all, 1, lines.length);
    all[all.length - 1] = END;
    return Arguments.of(message, List.of(all));
  }

  static List<Arguments> refused() {
    return List.of(
        Arguments.of(
            "line 1: version = \"a b\": allowed: 1 to 40 letters, digits and any of . _ : / + -",
            List.of("<io-priority-policy version='a b'/>")),
        inside(
            "line 2: user = \"svc-[ab]\": allowed: a name, the beginning of names followed by *, or"
                + " *",
            "<rule user=\"svc-[ab]\" highest=\"rt:0\"/>"),
        inside(
            "line 2: group = \"*\": allowed: the name of one group, without blanks before or after"
                + " it",
            "<rule group=\"*\" highest=\"rt:0\"/>"),
        inside(
            "line 2: group = \"lab \": allowed: the name of one group, without blanks before or"
                + " after it",
            "<rule group=\"lab \" highest=\"idle\"/>"),
        inside(
            "line 3: user = \"lab \": allowed: a short name without blanks before or after it, the"
                + " beginning of such names followed by *, or *",
            "<rule user=\"lab\" highest=\"idle\"/>",
            "<rule user=\"lab \" highest=\"idle\"/>"),
        inside(
            "line 2: user = \"hbase/h@R\": allowed: a short name, such as hbase for"
                + " hbase/host@REALM, the beginning of such names followed by *, or * (with a realm"
                + " if hadoop.security.auth_to_local.mechanism is mit)",
            "<rule user=\"hbase/h@R\" highest=\"idle\"/>"),
        inside(
            "line 2: table = \"a:b:c\": allowed: a table's name or namespace:name of letters, digits"
                + " and any of _ . -, the beginning of such names followed by *, or *",
            "<rule user=\"lab\" table=\"a:b:c\" highest=\"idle\"/>"),
        inside(
            "line 2: table = \"t \": allowed: a table's name or namespace:name of letters, digits"
                + " and any of _ . -, the beginning of such names followed by *, or *",
            "<rule user=\"lab\" table=\"t \" highest=\"idle\"/>"),
        inside(
            "line 3: the rule for user \"alice\" overlaps the one in line 2",
            "<rule user=\"alice\" highest=\"rt:0\"/>",
            "<rule user=\"alice\" highest=\"be:0\"/>"),
        inside(
            "line 4: the rule for group \"etl\" and table \"sales:*\" overlaps the one in line 2",
            "<rule group=\"etl\" table=\"sales:*\" highest=\"rt:0\"/>",
            "<rule group=\"etl\" highest=\"be:6\"/>",
            "<rule group=\"etl\" table=\"sales:*\" highest=\"be:0\"/>"),
        inside(
            "line 3: the rule for user \"alice\" and table \"t\" overlaps the one in line 2",
            "<rule user=\"alice\" table=\"t\" highest=\"rt:0\"/>",
            "<rule user=\"alice\" table=\"default:t\" highest=\"be:0\"/>"),
        inside(
            "line 2: concurrent = \"-1\": allowed: a whole number from 1 to 1000000",
            "<cap class=\"rt\" concurrent=\"-1\"/>"),
        inside(
            "line 2: rate = \"0\": allowed: a whole number from 1 to 1000000",
            "<cap class=\"rt\" rate=\"0\"/>"),
        inside("line 2: a cap needs concurrent or rate", "<cap class=\"rt\"/>"),
        inside(
            "line 2: class = \"low\": allowed: rt, be or idle",
            "<cap class=\"low\" concurrent=\"1\"/>"),
        inside(
            "line 3: a second cap for class rt",
            "<cap class=\"rt\" concurrent=\"1\"/>",
            "<cap class=\"rt\" rate=\"1\"/>"),
        inside("line 2: a rule needs either user or group", "<rule highest=\"rt:0\"/>"),
        inside("line 2: <rule> needs the attribute highest", "<rule user=\"alice\"/>"),
        inside(
            "line 2: highest = \"rt:8\": I/O priority \"rt:8\" is not allowed; allowed: "
                + IoPriority.ALLOWED,
            "<rule user=\"alice\" highest=\"rt:8\"/>"),
        inside(
            "line 2: attribute usr is not allowed in <rule>; allowed: default, family, group,"
                + " highest, hours, on-behalf-of, operation, server, table, tenant, user",
            "<rule usr=\"alice\" highest=\"rt:0\"/>"),
        inside(
            "line 2: <allow> is not allowed here; allowed: cap, rule, tenant",
            "<allow user=\"alice\"/>"),
        inside("line 2: text is not allowed: \"alice\"", "alice"),
        inside(
            "line 2: name = \"a b\": allowed: 1 to 40 letters, digits and any of _ . -, a letter or"
                + " digit first",
            "<tenant name=\"a b\"/>"),
        inside(
            "line 2: weight = \"0\": allowed: a number from 0.001 to 1000.0",
            "<tenant name=\"a\" weight=\"0\"/>"),
        inside(
            "line 2: guarantee = \"1.1\": allowed: a number from 0.01 to 1.0",
            "<tenant name=\"a\" guarantee=\"1.1\"/>"),
        inside(
            "line 2: limit = 0.2 is below guarantee = 0.3",
            "<tenant name=\"a\" guarantee=\"0.3\" limit=\"0.2\"/>"),
        inside(
            "line 3: the guarantees of [a, b] are 1.1 together; allowed: 1",
            "<tenant name=\"a\" guarantee=\"0.6\"/>",
            "<tenant name=\"b\" guarantee=\"0.5\"/>"),
        inside(
            "line 3: tenant a is in line 2, too", "<tenant name=\"a\"/>", "<tenant name=\"a\"/>"),
        inside(
            "line 3: tenant = \"b\": no <tenant> before it has that name; allowed: a, default",
            "<tenant name=\"a\"/>",
            "<rule user=\"alice\" tenant=\"b\" highest=\"be:0\"/>"),
        inside(
            "line 3: on-behalf-of = \"a b\": no <tenant> before it has that name; allowed: a,"
                + " default",
            "<tenant name=\"a\"/>",
            "<rule user=\"hbase\" on-behalf-of=\"a b\" highest=\"be:0\"/>"),
        inside(
            "line 2: operation = \"gets\": allowed: get, multi, scan, mutation (RegionServer), read"
                + " or write (DataNode)",
            "<rule user=\"alice\" operation=\"gets\" highest=\"be:0\"/>"),
        inside(
            "line 2: family = \"cf:raw\": allowed: a column family's name without any of : / \\ * and"
                + " without . at its begin, the beginning of such names followed by *, or *",
            "<rule user=\"alice\" family=\"cf:raw\" highest=\"be:0\"/>"),
        inside(
            "line 2: hours = \"8-25\": allowed: two different hours, such as 8-18 (until before"
                + " 18:00) or 22-6",
            "<rule user=\"alice\" hours=\"8-25\" highest=\"be:0\"/>"),
        inside(
            "line 2: server = \"namenode\": allowed: regionserver or datanode",
            "<rule user=\"alice\" server=\"namenode\" highest=\"be:0\"/>"),
        inside(
            "line 2: default = \"rt:0\": allowed: at most highest = be:0",
            "<rule user=\"alice\" default=\"rt:0\" highest=\"be:0\"/>"),
        inside(
            "line 2: <cap> is not allowed in <tenant>",
            "<tenant name=\"a\"><cap class=\"rt\" rate=\"1\"/></tenant>"),
        Arguments.of(
            "line 1: mode = \"strict\": allowed: ignore, log or reject",
            List.of("<io-priority-policy mode=\"strict\"/>")));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void theFileIsRefusedWithLineAndReason(String message, List<String> lines) throws IOException {
    String file = Policies.file(directory, lines.toArray(new String[0]));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> PolicyReader.forRegionServer(file));
    assertEquals(message, e.getMessage());
    String documented = message.replace(IoPriority.ALLOWED, "");
    assertTrue(
        Files.readString(TROUBLESHOOTING).contains(documented),
        () -> TROUBLESHOOTING + " does not have: " + documented);
  }

  @Test
  void aThousandTenantsAreRefused() throws IOException {
    List<String> lines = new ArrayList<>(List.of(BEGIN));
    for (int i = 0; i < 1000; i++) {
      lines.add("<tenant name=\"t" + i + "\"/>");
    }
    lines.add(END);
    String file = Policies.file(directory, lines.toArray(new String[0]));
    String message = "line 66: more than 64 tenants";
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> PolicyReader.forDataNode(file))
            .getMessage());
    assertTrue(Files.readString(TROUBLESHOOTING).contains(message));
  }

  @Test
  void whatIsNoXmlIsRefusedWithItsLine() throws IOException {
    String file = Policies.file(directory, BEGIN, "<rule user=\"alice\" highest=\"rt:0\">", END);
    String message =
        assertThrows(IllegalArgumentException.class, () -> PolicyReader.forDataNode(file))
            .getMessage();
    assertTrue(message.startsWith("line 3: not well-formed XML: "), message);
    assertTrue(Files.readString(TROUBLESHOOTING).contains("line 3: not well-formed XML: "));
  }

  @Test
  void nothingIsReadFromOutsideTheFile() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "rt:0");
    String file =
        Policies.file(
            directory,
            "<!DOCTYPE p [<!ENTITY e SYSTEM \"" + secret.toUri() + "\">]>",
            "<io-priority-policy><rule user=\"a\" highest=\"&e;\"/></io-priority-policy>");
    assertThrows(IllegalArgumentException.class, () -> PolicyReader.forDataNode(file));
  }

  /** What concerns the other kind of servers only is checked, too. */
  @Test
  void oneFileServesBothKindsOfServers() throws IOException {
    String file =
        Policies.file(
            directory,
            BEGIN,
            "<cap class=\"idle\" rate=\"10\"/>",
            "<rule user=\"alice\" table=\"t\" highest=\"rt:0\"/>",
            "<rule user=\"*\" highest=\"be:4\"/>",
            "<rule user=\"*\" server=\"datanode\" highest=\"rt:0\"/>",
            END);
    assertEquals(
        List.of(
            "rule for user \"alice\" and table \"t\" (line 3) allows rt:0",
            "rule for user \"*\" on a datanode (line 5) allows rt:0",
            "rule for user \"*\" (line 4) allows be:4"),
        PolicyReader.forDataNode(file).rules());
    assertEquals(
        List.of(
            "rule for user \"alice\" and table \"t\" (line 3) allows rt:0",
            "rule for user \"*\" (line 4) allows be:4"),
        PolicyReader.forRegionServer(file).rules());
  }

  @Test
  void theKeyAndTheFileAreNamed() throws IOException {
    String file = Policies.file(directory, BEGIN, "<cap class=\"rt\"/>", END);
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.io.priority.policy.file", file);
    assertEquals(
        "dfs.datanode.io.priority.policy.file = \""
            + file
            + "\": line 2: a cap needs concurrent or rate",
        assertThrows(IllegalArgumentException.class, () -> DataNodeKeys.POLICY_FILE.get(conf))
            .getMessage());
  }

  @Test
  void aFileThatIsNotThereOrNotAbsoluteIsRefused() throws IOException {
    String missing = directory.resolve("nosuch").toAbsolutePath().toString();
    String message =
        assertThrows(IllegalArgumentException.class, () -> PolicyReader.forDataNode(missing))
            .getMessage();
    assertTrue(message.startsWith("the file cannot be read ("), message);
    assertEquals(
        "allowed: an absolute path",
        assertThrows(IllegalArgumentException.class, () -> PolicyReader.forDataNode("policy.xml"))
            .getMessage());
    String documented = Files.readString(TROUBLESHOOTING);
    assertTrue(documented.contains("the file cannot be read ("));
    assertTrue(documented.contains("allowed: an absolute path"));
  }

  @Test
  void aWrongFileLeavesTheOldPolicyInForce() throws IOException {
    PolicyFile inForce = new PolicyFile(DataNodeKeys.POLICY_FILE);
    String file = Policies.file(directory, BEGIN, "<rule user=\"alice\" highest=\"rt:0\"/>", END);
    inForce.load(file);
    AccessPolicy before = inForce.policy();
    assertEquals(1, before.size());
    assertTrue(!inForce.isChanged(file));
    Policies.file(directory, BEGIN, "<rule user=\"alice\" highest=\"rt:9\"/>", END);
    assertTrue(inForce.isChanged(file));
    assertThrows(IllegalArgumentException.class, () -> inForce.load(file));
    assertEquals(before, inForce.policy());
    inForce.load(null);
    assertEquals(0, inForce.policy().size());
  }

  @Test
  void theExampleOfTheDocumentationCanBeRead() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "policy.md"));
    int begin = text.indexOf("<io-priority-policy");
    String example = text.substring(begin, text.indexOf(END, begin) + END.length());
    assertEquals(5, Policies.policy(directory, example).size());
  }
}
