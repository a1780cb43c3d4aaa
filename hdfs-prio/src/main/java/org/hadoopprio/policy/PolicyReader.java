// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Tenant;

/**
 * Reads a policy file. It is XML, like Hadoop's own configuration files, and is read with the JDK's
 * streaming reader, which reports line numbers. A file with an unknown element, attribute or value
 * is refused as a whole.
 */
public final class PolicyReader {

  private static final String ROOT = "io-priority-policy";
  private static final String RULE = "rule";
  private static final String CAP = "cap";
  private static final String TENANT = "tenant";
  private static final int MAX_BYTES = 1 << 20;

  /** It becomes the value of a label of metrics. */
  private static final Pattern VERSION = Pattern.compile("[\\w.:/+-]{1,40}");

  private final boolean tables;
  private final XMLStreamReader xml;
  private final List<PolicyRule> rules = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final PolicyTenants tenants = new PolicyTenants();

  private PolicyReader(byte[] content, boolean tables) throws XMLStreamException {
    this.tables = tables;
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    this.xml = factory.createXMLStreamReader(new ByteArrayInputStream(content));
  }

  /** Reads a DataNode's policy, whose rules have no tables; see {@link #forRegionServer}. */
  public static AccessPolicy forDataNode(String file) {
    return read(file, false);
  }

  /**
   * Reads a RegionServer's policy.
   *
   * @param file an absolute path
   * @throws IllegalArgumentException with the line and the reason, if the file cannot be used
   */
  public static AccessPolicy forRegionServer(String file) {
    return read(file, true);
  }

  private static AccessPolicy read(String file, boolean tables) {
    byte[] content = content(file);
    try {
      return new PolicyReader(content, tables).policy(content);
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
    xml.nextTag();
    expect(Set.of(ROOT));
    Map<String, String> attributes = attributes(Set.of(), Set.of("mode", "version"));
    PolicyMode mode = value(attributes, "mode", PolicyMode.LOG, PolicyMode::parse);
    String version = value(attributes, "version", PolicyHash.NONE, PolicyReader::versionText);
    List<ClassCap> caps = new ArrayList<>();
    while (nextElement()) {
      expect(Set.of(RULE, CAP, TENANT));
      if (xml.getLocalName().equals(CAP)) {
        cap(caps);
      } else if (xml.getLocalName().equals(TENANT)) {
        tenant();
      } else {
        rule();
      }
    }
    while (xml.hasNext()) {
      xml.next();
    }
    return new AccessPolicy(mode, version, rules, List.copyOf(caps), tenants.terms(), content);
  }

  private void rule() throws XMLStreamException {
    int line = line();
    Set<String> optional = new TreeSet<>(Set.of("user", "group", TENANT));
    if (tables) {
      optional.add("table");
    }
    Map<String, String> attributes = attributes(Set.of("highest"), optional);
    if (attributes.containsKey("user") == attributes.containsKey("group")) {
      throw refused(line, "a rule needs either user or group");
    }
    NamePattern user =
        value(attributes, "user", null, text -> NamePattern.ofUsers(text, namesHaveRealms()));
    String group = value(attributes, "group", null, PolicyReader::groupName);
    NamePattern table = value(attributes, "table", NamePattern.ANY, NamePattern::ofTables);
    IoPriority highest = value(attributes, "highest", null, IoPriority::parse);
    String tenant = value(attributes, TENANT, Tenant.DEFAULT.name(), tenants::known);
    List<ClassCap> caps = new ArrayList<>();
    while (nextElement()) {
      expect(Set.of(CAP));
      cap(caps);
    }
    PolicyRule rule = new PolicyRule(user, group, table, highest, tenant, List.copyOf(caps), line);
    Integer other = lines.putIfAbsent(rule.subject(), line);
    if (other != null) {
      throw refused(line, "the rule for " + rule.subject() + " overlaps the one in line " + other);
    }
    rules.add(rule);
  }

  private void cap(List<ClassCap> caps) throws XMLStreamException {
    int line = line();
    Map<String, String> attributes = attributes(Set.of("class"), Set.of("concurrent", "rate"));
    IoClass ioClass = value(attributes, "class", null, this::cappedClass);
    int concurrent = value(attributes, "concurrent", 0, PolicyReader::count);
    int rate = value(attributes, "rate", 0, PolicyReader::count);
    if (concurrent == 0 && rate == 0) {
      throw refused(line, "a cap needs concurrent or rate");
    }
    for (ClassCap cap : caps) {
      if (cap.ioClass() == ioClass) {
        throw refused(line, "a second cap for class " + ioClass.shortName());
      }
    }
    caps.add(new ClassCap(ioClass, concurrent, rate, System::nanoTime));
    requireEnd(CAP);
  }

  private void tenant() throws XMLStreamException {
    int line = line();
    Map<String, String> attributes =
        attributes(Set.of("name"), Set.of("weight", "guarantee", "limit"));
    String name = value(attributes, "name", null, PolicyTenants::name);
    double weight = value(attributes, "weight", 1.0, PolicyTenants::weight);
    double guarantee = value(attributes, "guarantee", 0.0, PolicyTenants::part);
    double limit = value(attributes, "limit", 1.0, PolicyTenants::part);
    if (limit < guarantee) {
      throw refused(line, "limit = " + limit + " is below guarantee = " + guarantee);
    }
    try {
      tenants.add(name, new Tenant.Terms(weight, guarantee, limit), line);
    } catch (IllegalArgumentException e) {
      throw refused(line, e.getMessage());
    }
    requireEnd(TENANT);
  }

  /** Checks that an element has no children. */
  private void requireEnd(String element) throws XMLStreamException {
    if (nextElement()) {
      throw refused(line(), "<" + xml.getLocalName() + "> is not allowed in <" + element + ">");
    }
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

  /** A DataNode has no queue in which a call at idle could wait. */
  private IoClass cappedClass(String text) {
    for (IoClass c : List.of(IoClass.REALTIME, IoClass.BEST_EFFORT, IoClass.IDLE)) {
      boolean isMeant = text.equals(c.shortName()) || text.equals(c.longName());
      if (isMeant && (tables || c != IoClass.IDLE)) {
        return c;
      }
    }
    throw new IllegalArgumentException(
        tables ? "allowed: rt, be or idle" : "allowed: rt or be (on a DataNode nothing waits)");
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

  private <T> T value(
      Map<String, String> attributes, String name, T absent, Function<String, T> parser) {
    String text = attributes.get(name);
    if (text == null) {
      return absent;
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw refused(line(), name + " = \"" + text + "\": " + e.getMessage());
    }
  }

  /** The attributes of the current element, which must have all required and no unknown ones. */
  private Map<String, String> attributes(Set<String> required, Set<String> optional) {
    Map<String, String> found = new HashMap<>();
    Set<String> known = new TreeSet<>(required);
    known.addAll(optional);
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      String name = xml.getAttributeLocalName(i);
      if (!known.contains(name)) {
        throw refused(
            line(),
            "attribute "
                + name
                + " is not allowed in <"
                + xml.getLocalName()
                + ">; allowed: "
                + String.join(", ", known)
                + (name.equals("table") ? " (a DataNode has no tables)" : ""));
      }
      found.put(name, xml.getAttributeValue(i));
    }
    for (String name : required) {
      if (!found.containsKey(name)) {
        throw refused(line(), "<" + xml.getLocalName() + "> needs the attribute " + name);
      }
    }
    return found;
  }

  /**
   * Moves to the next child of the current element and returns true, or to its end and returns
   * false.
   */
  private boolean nextElement() throws XMLStreamException {
    while (true) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT:
          return true;
        case XMLStreamConstants.END_ELEMENT:
          return false;
        case XMLStreamConstants.CHARACTERS:
          if (!xml.isWhiteSpace()) {
            String text = xml.getText();
            // The location is that of the end of the text.
            long below = text.stripLeading().chars().filter(c -> c == '\n').count();
            throw refused(line() - (int) below, "text is not allowed: \"" + text.strip() + "\"");
          }
          break;
        default:
          break;
      }
    }
  }

  private void expect(Set<String> allowed) {
    if (!allowed.contains(xml.getLocalName())) {
      throw refused(
          line(),
          "<"
              + xml.getLocalName()
              + "> is not allowed here; allowed: "
              + String.join(", ", new TreeSet<>(allowed)));
    }
  }

  private int line() {
    return xml.getLocation().getLineNumber();
  }

  private static IllegalArgumentException refused(int line, String reason) {
    return new IllegalArgumentException("line " + line + ": " + reason);
  }
}
