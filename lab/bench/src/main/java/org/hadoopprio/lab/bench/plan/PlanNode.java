// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A part of a plan's file, with the line where it stands. All values are texts: {@code off} is no
 * truth value. What is not as it must be is an {@link IllegalArgumentException} that names the line
 * and what is allowed. Immutable.
 */
final class PlanNode {

  private final String file;
  private final int line;
  private final Node node;

  private PlanNode(String file, int line, Node node) {
    this.file = file;
    this.line = line;
    this.node = node;
    if (node.isTwoStepsConstruction()) {
      throw error("it is a part of itself; allowed: what has an end");
    }
  }

  private static int line(Node node) {
    return node.getStartMark().getLine() + 1;
  }

  /**
   * The whole of a file.
   *
   * @param file its name, for messages
   */
  static PlanNode parse(String file, String text) {
    try {
      Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
      if (root == null) {
        throw new IllegalArgumentException(file + ": it is empty; allowed: a plan");
      }
      return new PlanNode(file, line(root), root);
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      throw new IllegalArgumentException(file + ":" + line + ": no YAML: " + e.getProblem(), e);
    } catch (YAMLException e) {
      throw new IllegalArgumentException(file + ":1: no YAML: " + e.getMessage(), e);
    }
  }

  /** The file and the line, for people; where it has a name, that of its name. */
  String place() {
    return file + ":" + line;
  }

  IllegalArgumentException error(String what) {
    return new IllegalArgumentException(place() + ": " + what);
  }

  IllegalArgumentException unknown(String what, String name, Collection<String> allowed) {
    return error("no " + what + " \"" + name + "\"; allowed: " + String.join(", ", allowed));
  }

  /** What stands at each name, in the order of the file; then what is merged ({@code <<}). */
  Map<String, PlanNode> map() {
    Map<String, PlanNode> entries = new LinkedHashMap<>();
    if (node instanceof ScalarNode && text().isEmpty()) {
      return entries;
    }
    if (!(node instanceof MappingNode mapping)) {
      throw error("allowed: NAME: VALUE, line by line");
    }
    Map<String, PlanNode> merged = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      PlanNode key = new PlanNode(file, line(tuple.getKeyNode()), tuple.getKeyNode());
      PlanNode value = new PlanNode(file, key.line, tuple.getValueNode());
      if (key.text().equals("<<")) {
        merged.putAll(value.map());
      } else if (entries.put(key.text(), value) != null) {
        throw key.error("\"" + key.text() + "\" is there twice");
      }
    }
    merged.forEach(entries::putIfAbsent);
    return entries;
  }

  /** The same where only some names are allowed. */
  Map<String, PlanNode> map(Collection<String> allowed) {
    Map<String, PlanNode> entries = map();
    entries.forEach(
        (name, value) -> {
          if (!allowed.contains(name)) {
            throw value.unknown("key", name, allowed);
          }
        });
    return entries;
  }

  /** What stands at a name that must be there. */
  PlanNode get(String name) {
    return find(name).orElseThrow(() -> error("\"" + name + "\" is missing"));
  }

  Optional<PlanNode> find(String name) {
    return Optional.ofNullable(map().get(name));
  }

  List<PlanNode> list() {
    if (!(node instanceof SequenceNode sequence)) {
      throw error("allowed: a list");
    }
    List<PlanNode> all = new ArrayList<>();
    sequence.getValue().forEach(each -> all.add(new PlanNode(file, line(each), each)));
    return all;
  }

  String text() {
    if (!(node instanceof ScalarNode scalar)) {
      throw error("allowed: a text or a number");
    }
    return scalar.getValue();
  }

  /** A text that is one of those allowed. */
  String oneOf(String what, Collection<String> allowed) {
    if (!allowed.contains(text())) {
      throw unknown(what, text(), allowed);
    }
    return text();
  }

  boolean flag() {
    return oneOf("truth value", List.of("true", "false")).equals("true");
  }

  int number(int least, int most) {
    if (text().matches("\\d{1,9}")) {
      int number = Integer.parseInt(text());
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw error("\"" + text() + "\"; allowed: a number from " + least + " to " + most);
  }

  /** All single values below, each by its way: {@code loads.puts.rate}. */
  Map<String, PlanNode> leaves(String way) {
    Map<String, PlanNode> leaves = new LinkedHashMap<>();
    if (node instanceof SequenceNode) {
      List<PlanNode> all = list();
      for (int i = 0; i < all.size(); i++) {
        leaves.putAll(all.get(i).leaves(way + "." + (i + 1)));
      }
    } else if (node instanceof MappingNode) {
      map().forEach((name, value) -> leaves.putAll(value.leaves(way + "." + name)));
    } else {
      leaves.put(way, this);
    }
    return leaves;
  }
}
