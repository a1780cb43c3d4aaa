// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.policy;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.SAXException;
import picocli.CommandLine;

/** The dry run of a policy file, and the schema beside it. */
class PolicyCheckCommandTest {

  private static final Path PAGE = Path.of("..", "docs", "policy.md");
  private static final Path SCHEMA =
      Path.of("..", "dist", "src", "root", "conf", "io-priority-policy.xsd");

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path ofPage;

  /** The examples of the page: a RegionServer's policy and a DataNode's. */
  private static List<String> examples() throws IOException {
    Matcher block =
        Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
    List<String> found = new ArrayList<>();
    while (block.find()) {
      found.add(block.group(1));
    }
    return found;
  }

  /** The package's example for three tenants. */
  private static Path forTenants() {
    return SCHEMA.resolveSibling("tenants.xml");
  }

  @BeforeEach
  void writeTheExample() throws IOException {
    ofPage = write(examples().get(0));
  }

  private Path write(String policy) throws IOException {
    return Files.writeString(directory.resolve("policy.xml"), policy);
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new PolicyCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private JsonNode answer(Path file, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("check", file.toString(), "--json"));
    arguments.addAll(List.of(more));
    assertEquals(0, run(arguments.toArray(new String[0])), err::toString);
    return new ObjectMapper().readTree(out.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "shop,,t,rt:2,shop,as asked,rt:2",
    "svc-a,,t,rt:0,svc-*,lowered,rt:3",
    "svc-a,,reports:daily,rt:0,reports,lowered,be:4",
    "joe,etl,t,be:0,etl,lowered,idle",
    "joe,etl,t,,etl,lowered,idle",
    "joe,,t,rt:0,user \"*\",lowered,be:0",
    "joe,,t,,user \"*\",as asked,none",
    ",,,rt:0,user \"*\",lowered,be:0",
    "joe,etl,hbase:meta,,etl,as asked,none",
  })
  void theRuleThatDecidesAndWhatItGrants(
      String user,
      String group,
      String table,
      String ask,
      String rule,
      String outcome,
      String granted)
      throws IOException {
    List<String> request = new ArrayList<>();
    if (user != null) {
      request.addAll(List.of("--user", user));
    }
    if (group != null) {
      request.addAll(List.of("--group", "people", "--group", group));
    }
    if (table != null) {
      request.addAll(List.of("--table", table));
    }
    if (ask != null) {
      request.addAll(List.of("--ask", ask));
    }
    JsonNode answer = answer(ofPage, request.toArray(new String[0]));
    assertTrue(answer.path("decidedBy").asText().contains(rule), answer::toString);
    assertEquals(outcome, answer.path("outcome").asText(), answer::toString);
    assertEquals(granted, answer.path("granted").asText(), answer::toString);
  }

  @Test
  void capsThatCountARequestAreNamed() throws IOException {
    JsonNode answer = answer(ofPage, "--user", "svc-a", "--ask", "rt:5");
    assertEquals(
        "[\"the rule: class rt, 16 at a time, 500 a second\",\"all users together: class rt, 64 at a time\"]",
        answer.path("countedByCaps").toString());
    assertEquals("be:0", answer.path("aboveCaps").asText());
    assertTrue(answer(ofPage, "--user", "svc-a").path("countedByCaps").isMissingNode());
  }

  @Test
  void aboveACapForIdleACallWaits() throws IOException {
    Path file =
        write(
            "<io-priority-policy><rule user='lab' highest='idle'><cap class='idle' rate='9'/>"
                + "</rule></io-priority-policy>");
    JsonNode answer = answer(file, "--user", "lab");
    assertEquals("waits for a handler", answer.path("aboveCaps").asText(), answer::toString);
    answer = answer(file, "--user", "lab", "--server", "datanode");
    assertEquals("idle", answer.path("aboveCaps").asText(), "it only counts");
  }

  @Test
  void aRegionServerRejectsWhereADataNodeServesAsUnstated() throws IOException {
    Path file =
        write(
            "<io-priority-policy mode='reject'><rule user='*' highest='be:5'/>"
                + "</io-priority-policy>");
    JsonNode server = answer(file, "--user", "joe", "--ask", "rt:0");
    assertEquals("rejected", server.path("outcome").asText());
    assertEquals("Rejected", server.path("counted").asText());
    assertTrue(server.path("granted").isMissingNode());
    JsonNode own = answer(file, "--user", "joe", "--ask", "rt:0", "--table", "hbase:meta");
    assertEquals("lowered", own.path("outcome").asText());
    JsonNode dataNode = answer(file, "--server", "datanode", "--user", "joe", "--ask", "rt:0");
    assertEquals("not heeded", dataNode.path("outcome").asText());
    assertEquals("be:5", dataNode.path("granted").asText());
    assertEquals("Rejected", dataNode.path("counted").asText());
  }

  @Test
  void whereNoRuleMatchesTheKeyDecides() throws IOException {
    Path file =
        write("<io-priority-policy><rule user='shop' highest='rt:0'/></io-priority-policy>");
    JsonNode answer = answer(file, "--user", "joe", "--ask", "rt:0");
    assertEquals("...io.priority.highest is be:0", answer.path("decidedBy").asText());
    assertEquals("be:0", answer.path("granted").asText());
    answer = answer(file, "--user", "joe", "--ask", "rt:0", "--highest", "rt:4");
    assertEquals("rt:4", answer.path("granted").asText());
  }

  /** The page shows it. */
  @Test
  void textForPeople() throws IOException {
    String command = "$ hprio policy check policy.xml --user joe --group etl --ask rt:0\n";
    String page = Files.readString(PAGE);
    int begin = page.indexOf(command) + command.length();
    String shown = page.substring(begin, page.indexOf("```", begin));
    String[] arguments = {
      "check", ofPage.toString(), "--user", "joe", "--group", "etl", "--ask", "rt:0"
    };
    assertEquals(0, run(arguments), err::toString);
    assertEquals(shown, out.toString().replace(ofPage.toString(), "policy.xml"));
  }

  @Test
  void aFileThatAServerRefusesHasStatusOne() throws IOException {
    String wrong = write("<io-priority-policy><rule usr='a' highest='be:0'/>").toString();
    assertEquals(1, run("check", wrong, "--server", "datanode"));
    assertTrue(
        err.toString().contains("policy.xml: line 1: attribute usr is not allowed"), err::toString);
    Path none = directory.resolve("none.xml");
    assertEquals(1, run("check", none.toString(), "--json"));
    JsonNode answer = new ObjectMapper().readTree(out.toString());
    assertTrue(answer.path("error").asText().startsWith("the file cannot be read"), out::toString);
    assertEquals(1, run("check", write("<io-priority-policy>").toString()));
    assertTrue(err.toString().contains("not well-formed XML"), err::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "check",
        "check FILE --server master",
        "check FILE --ask rt:9",
        "check FILE --highest urgent",
        "check FILE --group etl",
        "check FILE --server datanode --table t",
        "check FILE --operation list",
        "check FILE --server datanode --family raw",
        "check FILE --hour 24",
        "check FILE --sideways"
      })
  void badUsageHasStatusTwo(String line) {
    String[] arguments = line.replace("FILE", ofPage.toString()).trim().split(" ", -1);
    assertEquals(2, run(line.isEmpty() ? new String[0] : arguments));
    assertFalse(err.toString().isBlank());
  }

  /** Attributes of a rule; what does not end with REFUSED is accepted. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "user='*'",
        "user='lab'",
        "user='svc-*'",
        "user='two words'",
        "user='two *'",
        "user='cn=a' REFUSED",
        "user='lab ' REFUSED",
        "user=' lab' REFUSED",
        "user=' *' REFUSED",
        "user='a*b' REFUSED",
        "user='' REFUSED",
        "group='every body'",
        "group=' people' REFUSED",
        "group='people ' REFUSED",
        "user='a' table='t'",
        "user='a' table='ns:t.x-1'",
        "user='a' table='ns:*'",
        "user='a' table='n*'",
        "user='a' table='default:*'",
        "user='a' table='ns:' REFUSED",
        "user='a' table='default:' REFUSED",
        "user='a' table='a b' REFUSED",
        "user='a' table='a@b' REFUSED",
        "user='a' table='-a' REFUSED",
        "user='a' table='a:b:c' REFUSED",
        "user='a' on-behalf-of='*'",
        "user='a' on-behalf-of='default *'",
        "user='a' on-behalf-of='' REFUSED",
        "user='a' family='raw.x-1*'",
        "user='a' table='t' family='*'",
        "user='a' family='L#0'",
        "user='a' family='.tmp' REFUSED",
        "user='a' family='cf:q' REFUSED",
        "user='a' family='' REFUSED",
        "user='a' operation='get scan write'",
        "user='a' operation='' REFUSED",
        "user='a' operation='list' REFUSED",
        "user='a' hours='22-6'",
        "user='a' hours='08-24'",
        "user='a' hours='24-6' REFUSED",
        "user='a' hours='8-25' REFUSED",
        "user='a' hours='8' REFUSED",
        "user='a' server='datanode'",
        "user='a' server='master' REFUSED",
        "user='a' default='idle'",
      })
  void theSchemaAndServersAgreeAboutNames(String attributes) throws IOException {
    boolean refused = attributes.endsWith(" REFUSED");
    String rule = attributes.replace(" REFUSED", "");
    String policy = "<io-priority-policy><rule " + rule + " highest='be:0'/></io-priority-policy>";
    assertEquals(refused ? 1 : 0, run("check", write(policy).toString()), err::toString);
    if (refused) {
      assertThrows(SAXException.class, () -> validate(policy));
    } else {
      assertDoesNotThrow(() -> validate(policy));
    }
  }

  /** Hadoop's other rules refuse names with a realm, so that nobody has one. */
  @Test
  void aNameWithARealmIsOneWithRulesOfTypeMit() throws IOException {
    String policy =
        "<io-priority-policy><rule user='hbase/h@R' highest='rt:0'/></io-priority-policy>";
    assertDoesNotThrow(() -> validate(policy));
    assertEquals(1, run("check", write(policy).toString()));
    assertTrue(err.toString().contains("line 1: user = \"hbase/h@R\": allowed: a short name"));
    String before = KerberosName.getRuleMechanism();
    KerberosName.setRuleMechanism(KerberosName.MECHANISM_MIT);
    try {
      JsonNode answer = answer(write(policy), "--user", "hbase/h@R", "--ask", "rt:0");
      assertEquals("rt:0", answer.path("granted").asText(), answer::toString);
    } finally {
      KerberosName.setRuleMechanism(before);
    }
  }

  private static Schema schema() throws SAXException {
    return SchemaFactory.newDefaultInstance().newSchema(SCHEMA.toFile());
  }

  private static void validate(String policy) throws SAXException, IOException {
    schema().newValidator().validate(new StreamSource(new StringReader(policy)));
  }

  @Test
  void theSchemaAcceptsWhatServersAccept() throws IOException {
    assertEquals(3, examples().size());
    List<String> policies = new ArrayList<>(examples());
    policies.add(Files.readString(forTenants()));
    for (String example : policies) {
      assertDoesNotThrow(() -> validate(example), example);
      assertEquals(0, run("check", write(example).toString()), err::toString);
    }
    String all =
        "<io-priority-policy mode='reject' version='2026-11-26/3'>"
            + "<cap class='best-effort' rate='1000000'/>"
            + "<rule user='a_b.c-D*' table='ns:*' highest='realtime:0@60s'>"
            + "<cap class='rt' rate='1'/><cap class='be' concurrent='1'/>"
            + "<cap class='idle' concurrent='1'/></rule>"
            + "<rule group='every body' highest='none'/></io-priority-policy>";
    assertDoesNotThrow(() -> validate(all));
    assertEquals(0, run("check", write(all).toString()), err::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "regionserver,shop,20,,rt:0,shop",
    "regionserver,ads,20,,rt:0@100ms,ads",
    "regionserver,lab,20,,be:4,lab",
    "regionserver,lab,8,,be:7,lab",
    "regionserver,hbase,20,,be:0,default",
    "datanode,hbase,20,,rt:0,default",
    "datanode,hbase,20,shop,rt:0,shop",
    "datanode,lab,20,shop,be:4,lab",
    "datanode,lab,8,,be:7,lab",
  })
  void theFileForTenantsGrantsWhatItSays(
      String server, String user, String hour, String named, String granted, String tenant)
      throws IOException {
    List<String> request =
        new ArrayList<>(List.of("--server", server, "--user", user, "--hour", hour));
    if (named != null) {
      request.addAll(List.of("--tenant", named));
    }
    List<String> asking = new ArrayList<>(request);
    asking.addAll(List.of("--ask", "rt:0"));
    JsonNode answer = answer(forTenants(), asking.toArray(new String[0]));
    assertEquals(granted, answer.get("granted").asText(), answer::toString);
    assertEquals(tenant, answer.get("tenant").asText(), answer::toString);
    assertEquals(
        named != null && !named.equals(tenant), answer.has("tenantRefused"), answer::toString);
  }

  /** The whole way of a request. */
  @Test
  void whatARuleGivesAndForWhom() throws IOException {
    assertEquals(
        0, run("check", forTenants().toString(), "--user", "lab", "--hour", "21"), err::toString);
    String text = out.toString();
    assertTrue(text.contains("decides   rule for user \"lab\" of tenant lab (line "), text);
    assertTrue(text.contains("tenant    lab: weight 1.0, at most 0.5 of each disk"), text);
    assertTrue(text.contains("outcome   given by the rule: be:6, counted in Ruled"), text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<policy/>",
        "<io-priority-policy mode='strict'/>",
        "<io-priority-policy version='a b'/>",
        "<io-priority-policy><rule user='a'/></io-priority-policy>",
        "<io-priority-policy><rule user='a' highest='rt:8'/></io-priority-policy>",
        "<io-priority-policy><rule user='a' highest='idle@5ms'/></io-priority-policy>",
        "<io-priority-policy><rule user='' highest='be:0'/></io-priority-policy>",
        "<io-priority-policy><rule user='a*b' highest='be:0'/></io-priority-policy>",
        "<io-priority-policy><rule group='g*' highest='be:0'/></io-priority-policy>",
        "<io-priority-policy><rule user='a' lowest='x' highest='be:0'/></io-priority-policy>",
        "<io-priority-policy><cap class='none' rate='1'/></io-priority-policy>",
        "<io-priority-policy><cap class='rt' rate='0'/></io-priority-policy>",
        "<io-priority-policy><cap class='rt' rate='1000001'/></io-priority-policy>",
        "<io-priority-policy><limit class='rt' rate='1'/></io-priority-policy>",
        "<io-priority-policy>text</io-priority-policy>"
      })
  void theSchemaRefusesWhatServersRefuse(String policy) throws IOException {
    assertThrows(SAXException.class, () -> validate(policy));
    assertEquals(1, run("check", write(policy).toString()), policy);
  }
}
