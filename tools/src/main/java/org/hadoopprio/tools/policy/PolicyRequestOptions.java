// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.hadoopprio.policy.RequestKind;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that describe a request of which a policy is asked. */
final class PolicyRequestOptions {

  private static final int HOURS = 24;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--user",
      paramLabel = "USER",
      description =
          "The short name of the user. Without it the user is not known, as to a DataNode without"
              + " block tokens; then only rules for * apply.")
  private String user;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = "A group of the user, as the server's group mapping has it. Can be repeated.")
  private List<String> groups = new ArrayList<>();

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description = "The table, namespace:name or name.")
  private String table;

  @Option(
      names = "--family",
      paramLabel = "FAMILY",
      description =
          "A column family that the request reads or changes; without one all of the table. Can be"
              + " repeated.")
  private List<String> families = new ArrayList<>();

  @Option(
      names = "--operation",
      paramLabel = "KIND",
      description =
          "What the request does: get, multi, scan or mutation; on a DataNode read, write.")
  private String operation;

  @Option(
      names = "--hour",
      paramLabel = "HOUR",
      description = "The hour of the day, 0 to 23; by default this one.")
  private Integer hour;

  /** Whether they say more of a request than its hour. */
  boolean isStated() {
    return user != null || table != null || !families.isEmpty() || operation != null;
  }

  /**
   * The request.
   *
   * @throws ParameterException if there cannot be such a one
   */
  PolicyRequest read(boolean onDataNode) {
    RequestKind kind =
        operation == null ? null : parsed(spec, "--operation", operation, RequestKind::parse);
    if (hour != null && (hour < 0 || hour >= HOURS)) {
      throw refused("--hour = " + hour + ": allowed: a whole number from 0 to 23");
    }
    if (onDataNode && table != null) {
      throw refused("--table = " + table + ": a DataNode has no tables");
    }
    if (onDataNode && !families.isEmpty()) {
      throw refused("--family = " + families.get(0) + ": a DataNode has no tables");
    }
    if (user == null && !groups.isEmpty()) {
      throw refused("--group = " + groups.get(0) + ": allowed: only with --user");
    }
    return new PolicyRequest(user, groups, table, families, kind, hour);
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /**
   * Reads the value of an option.
   *
   * @throws ParameterException if the parser refuses it
   */
  static <T> T parsed(CommandSpec spec, String option, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), option + " = " + text + ": " + e.getMessage(), e);
    }
  }
}
