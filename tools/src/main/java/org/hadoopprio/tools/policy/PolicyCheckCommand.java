// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hadoopprio.IoPriority;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.PolicyReader;
import org.hadoopprio.tools.node.InstalledVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hprio policy check}. */
@Command(
    name = "check",
    description = {
      "Reads a policy file as a RegionServer or DataNode does, and shows its rules: the first that"
          + " matches a request decides. With --user, --group, --table or --ask it says which rule"
          + " that is for such a request, and what is granted. No daemon is asked and nothing is"
          + " changed.",
      "The exit status is 0 if the file can be used, 1 if it is refused, and 2 for invalid input.",
      "Example: hprio policy check /etc/hbase/conf/policy.xml --user etl-7 --group etl --ask rt:0"
    },
    mixinStandardHelpOptions = true,
    versionProvider = InstalledVersion.class)
public final class PolicyCheckCommand implements Callable<Integer> {

  private static final int REFUSED = 1;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The policy file.")
  private Path file;

  @Option(
      names = "--server",
      paramLabel = "SERVER",
      defaultValue = "regionserver",
      description =
          "Whose policy it is, regionserver or datanode; by default ${DEFAULT-VALUE}. A DataNode"
              + " knows no tables, and serves what a RegionServer rejects.")
  private String server;

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
      names = "--ask",
      paramLabel = "PRIORITY",
      description = "The priority that the request states; by default it states none.")
  private String ask;

  @Option(
      names = "--highest",
      paramLabel = "PRIORITY",
      defaultValue = "be:0",
      description =
          "The value of the server's key ...io.priority.highest, for users that no rule matches; by"
              + " default ${DEFAULT-VALUE}.")
  private String highest;

  @Option(names = "--json", description = "Prints the answer as JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    boolean onDataNode = onDataNode();
    IoPriority asked = ask == null ? IoPriority.NONE : priority("--ask", ask);
    IoPriority otherwise = priority("--highest", highest);
    if (onDataNode && table != null) {
      throw new ParameterException(
          spec.commandLine(), "--table = " + table + ": a DataNode has no tables");
    }
    if (user == null && !groups.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--group = " + groups.get(0) + ": allowed: only with --user");
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("file", file.toString());
    answer.put("server", server);
    AccessPolicy policy;
    try {
      policy = read(onDataNode);
    } catch (IllegalArgumentException e) {
      return refuse(answer, e.getMessage());
    }
    PolicyAnswer.ofFile(policy, answer);
    if (user != null || table != null || ask != null) {
      PolicyRequest request = new PolicyRequest(user, groups, table);
      PolicyAnswer.ofRequest(policy, asked, otherwise, request, onDataNode, answer);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? new ObjectMapper().writeValueAsString(answer) : PolicyAnswer.toText(answer));
    out.flush();
    return 0;
  }

  private boolean onDataNode() {
    if (!server.equals("regionserver") && !server.equals("datanode")) {
      throw new ParameterException(
          spec.commandLine(), "--server = " + server + ": allowed: regionserver or datanode");
    }
    return server.equals("datanode");
  }

  private IoPriority priority(String option, String text) {
    try {
      return IoPriority.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), option + " = " + text + ": " + e.getMessage(), e);
    }
  }

  private AccessPolicy read(boolean onDataNode) {
    // The keys of the servers need absolute paths; a command does not.
    String absolute = file.toAbsolutePath().toString();
    return onDataNode ? PolicyReader.forDataNode(absolute) : PolicyReader.forRegionServer(absolute);
  }

  private int refuse(Map<String, Object> answer, String error) throws JsonProcessingException {
    if (json) {
      answer.put("error", error);
      spec.commandLine().getOut().println(new ObjectMapper().writeValueAsString(answer));
      spec.commandLine().getOut().flush();
    } else {
      spec.commandLine().getErr().println("hprio policy check: " + file + ": " + error);
    }
    return REFUSED;
  }
}
