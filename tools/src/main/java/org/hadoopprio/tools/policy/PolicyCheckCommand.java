// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.hadoopprio.IoPriority;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.PolicyReader;
import org.hadoopprio.policy.PolicyServer;
import org.hadoopprio.tools.node.InstalledVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hprio policy check}. */
@Command(
    name = "check",
    description = {
      "Reads a policy file as a RegionServer or DataNode does, and shows its rules: the first that"
          + " matches a request decides. With --user, --table, --family, --operation, --tenant or --ask it says which"
          + " rule that is for such a request, and what is granted. No daemon is asked and nothing is"
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
          "Which server reads it, regionserver or datanode; by default ${DEFAULT-VALUE}. A DataNode"
              + " knows no tables, and serves what a RegionServer rejects.")
  private String server;

  @Mixin private PolicyRequestOptions request;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "The tenant that the request names as its own; by default it names none.")
  private String tenant;

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
    PolicyServer reading = parsed("--server", server, PolicyServer::parse);
    boolean onDataNode = reading == PolicyServer.DATANODE;
    IoPriority asked = ask == null ? null : parsed("--ask", ask, IoPriority::parse);
    IoPriority otherwise = parsed("--highest", highest, IoPriority::parse);
    PolicyRequest supposed = request.read(onDataNode);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("file", file.toString());
    answer.put("server", server);
    AccessPolicy policy;
    try {
      // The keys of the servers need absolute paths; a command does not.
      policy = PolicyReader.read(file.toAbsolutePath().toString(), reading);
    } catch (IllegalArgumentException e) {
      return refuse(answer, e.getMessage());
    }
    PolicyAnswer.ofFile(policy, answer);
    if (ask != null || tenant != null || request.isStated()) {
      if (policy.hasTenants()) {
        PolicyAnswer.ofTenant(policy, otherwise, supposed, tenant, answer);
      }
      PolicyAnswer.ofRequest(policy, asked, otherwise, supposed, onDataNode, answer);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? new ObjectMapper().writeValueAsString(answer) : PolicyAnswer.toText(answer));
    out.flush();
    return 0;
  }

  private <T> T parsed(String option, String text, Function<String, T> parser) {
    return PolicyRequestOptions.parsed(spec, option, text, parser);
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
