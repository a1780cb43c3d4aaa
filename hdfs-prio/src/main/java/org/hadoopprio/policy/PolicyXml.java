// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.io.ByteArrayInputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The elements of a policy file, one after the other, with the JDK's streaming reader, which tells
 * lines. What the caller does not expect is refused. Not thread-safe.
 */
final class PolicyXml {

  private final XMLStreamReader xml;

  /** Stands before the first element. */
  PolicyXml(byte[] content) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    this.xml = factory.createXMLStreamReader(new ByteArrayInputStream(content));
  }

  /** Moves to the root. */
  void begin(String root) throws XMLStreamException {
    xml.nextTag();
    expect(Set.of(root));
  }

  /** After the root's end; whatever follows must be well-formed. */
  void finish() throws XMLStreamException {
    while (xml.hasNext()) {
      xml.next();
    }
  }

  /** The name of the current element. */
  String name() {
    return xml.getLocalName();
  }

  int line() {
    return xml.getLocation().getLineNumber();
  }

  /**
   * The parsed value of an attribute of the current element.
   *
   * @param absent if the element does not have it
   */
  <T> T value(Map<String, String> attributes, String name, T absent, Function<String, T> parser) {
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
  Map<String, String> attributes(Set<String> required, Set<String> optional) {
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
                + String.join(", ", known));
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
  boolean nextElement() throws XMLStreamException {
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

  /** Checks that the current element is one of these. */
  void expect(Set<String> allowed) {
    if (!allowed.contains(xml.getLocalName())) {
      throw refused(
          line(),
          "<"
              + xml.getLocalName()
              + "> is not allowed here; allowed: "
              + String.join(", ", new TreeSet<>(allowed)));
    }
  }

  /** Checks that the current element has no children. */
  void requireEnd(String element) throws XMLStreamException {
    if (nextElement()) {
      throw refused(line(), "<" + xml.getLocalName() + "> is not allowed in <" + element + ">");
    }
  }

  static IllegalArgumentException refused(int line, String reason) {
    return new IllegalArgumentException("line " + line + ": " + reason);
  }
}
