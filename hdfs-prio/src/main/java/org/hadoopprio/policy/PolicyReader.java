// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Tenant;

/**
 * Reads a policy file. It is XML, like Hadoop's own configuration files. A file with an unknown
 * element, attribute or value is refused as a whole. The same file can serve DataNodes and
 * RegionServers: what concerns only one kind of them is read by both.
 */
public final class PolicyReader {

  private static final String ROOT = "io-priority-policy";
  private static final String RULE = "rule";
  private static final String CAP = "cap";
  private static final String TENANT = "tenant";
  private static final int MAX_BYTES = 1 << 20;

  /** It becomes the value of a label of metrics. */
  private static final Pattern VERSION = Pattern.compile("[\\w.:/+-]{1,40}");

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private final PolicyServer server;
  private final PolicyXml xml;
  private final List<PolicyRule> rules = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final PolicyTenants tenants = new PolicyTenants();

  private PolicyReader(byte[] content, PolicyServer server) throws XMLStreamException {
    this.server = server;
    this.xml = new PolicyXml(content);
  }

  /** Reads the policy of a DataNode; see {@link #read}. */
  public static AccessPolicy forDataNode(String file) {
    return read(file, PolicyServer.DATANODE);
  }

  /** Reads the policy of a RegionServer; see {@link #read}. */
  public static AccessPolicy forRegionServer(String file) {
    return read(file, PolicyServer.REGIONSERVER);
  }

  /**
   * Reads the policy of a server, without the rules that are for the other kind only.
   *
   * @param file an absolute path
   * @throws IllegalArgumentException with the line and the reason, if the file cannot be used
   */
  public static AccessPolicy read(String file, PolicyServer server) {
    byte[] content = content(file);
    try {
      return new PolicyReader(content, server).policy(content);
    } catch (XMLStreamException e) {
      throw new IllegalArgumentException(
          "line " + e.getLocation().getLineNumber() + ": not well-formed XML: " + reason(e), e);
    }
  }

  /**
   * The bytes of a policy file.
   *
   * @throws IllegalArgumentException if the file cannot be read
   */
  static byte[] content(String file) {
    Path path = Path.of(file);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException("allowed: an absolute path");
    }
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw new IllegalArgumentException("the file is larger than 1 MiB");
      }
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new IllegalArgumentException("the file cannot be read (" + e + ")", e);
    }
  }

  /** The parser's message without the location, which we report ourselves. */
  private static String reason(XMLStreamException e) {
    String message = String.valueOf(e.getMessage());
    return message.substring(message.lastIndexOf('\n') + 1).replaceFirst("^Message: ", "");
  }

  private AccessPolicy policy(byte[] content) throws XMLStreamException {
    xml.begin(ROOT);
    Map<String, String> attributes = xml.attributes(Set.of(), Set.of("mode", "version"));
    PolicyMode mode = xml.value(attributes, "mode", PolicyMode.LOG, PolicyMode::parse);
    String version = xml.value(attributes, "version", PolicyHash.NONE, PolicyReader::versionText);
    List<ClassCap> caps = new ArrayList<>();
    while (xml.nextElement()) {
      xml.expect(Set.of(RULE, CAP, TENANT));
      if (xml.name().equals(CAP)) {
        cap(caps);
      } else if (xml.name().equals(TENANT)) {
        tenant();
      } else {
        rule();
      }
    }
    xml.finish();
    return new AccessPolicy(mode, version, rules, List.copyOf(caps), tenants.terms(), content);
  }

  private void rule() throws XMLStreamException {
    int line = xml.line();
    Map<String, String> attributes =
        xml.attributes(
            Set.of("highest"),
            Set.of(
                "user",
                "group",
                "table",
                "family",
                "operation",
                "hours",
                "server",
                "default",
                TENANT,
                "on-behalf-of"));
    RuleSubject subject = subject(attributes, line);
    IoPriority highest = xml.value(attributes, "highest", null, IoPriority::parse);
    IoPriority given = xml.value(attributes, "default", null, text -> given(text, highest));
    String tenant = xml.value(attributes, TENANT, Tenant.DEFAULT.name(), tenants::known);
    Set<String> onBehalfOf = xml.value(attributes, "on-behalf-of", Set.of(), this::tenantNames);
    List<ClassCap> caps = new ArrayList<>();
    while (xml.nextElement()) {
      xml.expect(Set.of(CAP));
      cap(caps);
    }
    Integer other = lines.putIfAbsent(subject.toString(), line);
    if (other != null) {
      throw PolicyXml.refused(
          line, "the rule for " + subject + " overlaps the one in line " + other);
    }
    if (subject.isFor(server)) {
      rules.add(
          new PolicyRule(subject, highest, given, tenant, onBehalfOf, List.copyOf(caps), line));
    }
  }

  private RuleSubject subject(Map<String, String> attributes, int line) {
    if (attributes.containsKey("user") == attributes.containsKey("group")) {
      throw PolicyXml.refused(line, "a rule needs either user or group");
    }
    return new RuleSubject(
        xml.value(attributes, "user", null, text -> NamePattern.ofUsers(text, namesHaveRealms())),
        xml.value(attributes, "group", null, PolicyReader::groupName),
        xml.value(attributes, "table", NamePattern.ANY, NamePattern::ofTables),
        xml.value(attributes, "family", NamePattern.ANY, NamePattern::ofFamilies),
        xml.value(attributes, "operation", Set.of(), PolicyReader::kinds),
        xml.value(attributes, "hours", RuleHours.ALL, RuleHours::parse),
        xml.value(attributes, "server", null, PolicyServer::parse));
  }

  private void cap(List<ClassCap> caps) throws XMLStreamException {
    int line = xml.line();
    Map<String, String> attributes = xml.attributes(Set.of("class"), Set.of("concurrent", "rate"));
    IoClass ioClass = xml.value(attributes, "class", null, PolicyReader::cappedClass);
    int concurrent = xml.value(attributes, "concurrent", 0, PolicyReader::count);
    int rate = xml.value(attributes, "rate", 0, PolicyReader::count);
    if (concurrent == 0 && rate == 0) {
      throw PolicyXml.refused(line, "a cap needs concurrent or rate");
    }
    for (ClassCap cap : caps) {
      if (cap.ioClass() == ioClass) {
        throw PolicyXml.refused(line, "a second cap for class " + ioClass.shortName());
      }
    }
    caps.add(new ClassCap(ioClass, concurrent, rate, System::nanoTime));
    xml.requireEnd(CAP);
  }

  private void tenant() throws XMLStreamException {
    int line = xml.line();
    Map<String, String> attributes =
        xml.attributes(Set.of("name"), Set.of("weight", "guarantee", "limit"));
    String name = xml.value(attributes, "name", null, Tenant::requireName);
    double weight = xml.value(attributes, "weight", 1.0, PolicyTenants::weight);
    double guarantee = xml.value(attributes, "guarantee", 0.0, PolicyTenants::part);
    double limit = xml.value(attributes, "limit", 1.0, PolicyTenants::part);
    if (limit < guarantee) {
      throw PolicyXml.refused(line, "limit = " + limit + " is below guarantee = " + guarantee);
    }
    try {
      tenants.add(name, new Tenant.Terms(weight, guarantee, limit), line);
    } catch (IllegalArgumentException e) {
      throw PolicyXml.refused(line, e.getMessage());
    }
    xml.requireEnd(TENANT);
  }

  private static IoPriority given(String text, IoPriority highest) {
    IoPriority given = IoPriority.parse(text);
    if (!given.atMost(highest).equals(given)) {
      throw new IllegalArgumentException("allowed: at most highest = " + highest);
    }
    return given;
  }

  private static Set<RequestKind> kinds(String text) {
    Set<RequestKind> kinds = EnumSet.noneOf(RequestKind.class);
    for (String name : BLANKS.split(text, -1)) {
      kinds.add(RequestKind.parse(name));
    }
    return kinds;
  }

  private Set<String> tenantNames(String text) {
    Set<String> names = new LinkedHashSet<>();
    for (String name : BLANKS.split(text, -1)) {
      names.add(name.equals(PolicyRule.ANY_TENANT) ? name : tenants.known(name));
    }
    return names;
  }

  /** Whether this process's short names of users may have a realm. */
  private static boolean namesHaveRealms() {
    // Reads the configuration if that has not been done, and with it the type of rules.
    UserGroupInformation.isSecurityEnabled();
    return KerberosName.MECHANISM_MIT.equals(KerberosName.getRuleMechanism());
  }

  private static String versionText(String text) {
    if (!VERSION.matcher(text).matches()) {
      throw new IllegalArgumentException("allowed: 1 to 40 letters, digits and any of . _ : / + -");
    }
    return text;
  }

  private static String groupName(String text) {
    if (text.isBlank() || text.contains("*") || !text.equals(text.strip())) {
      throw new IllegalArgumentException(
          "allowed: the name of one group, without blanks before or after it");
    }
    return text;
  }

  private static IoClass cappedClass(String text) {
    for (IoClass c : List.of(IoClass.REALTIME, IoClass.BEST_EFFORT, IoClass.IDLE)) {
      if (text.equals(c.shortName()) || text.equals(c.longName())) {
        return c;
      }
    }
    throw new IllegalArgumentException("allowed: rt, be or idle");
  }

  private static Integer count(String text) {
    int count = 0;
    try {
      count = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      count = 0;
    }
    if (count < 1 || count > ClassCap.MAX_COUNT) {
      throw new IllegalArgumentException("allowed: a whole number from 1 to " + ClassCap.MAX_COUNT);
    }
    return count;
  }
}
