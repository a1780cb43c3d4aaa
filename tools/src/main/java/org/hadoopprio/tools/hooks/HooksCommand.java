// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.hooks;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.hadoopprio.agent.HdfsModules;
import org.hadoopprio.agent.HookFit;
import org.hadoopprio.agent.ModuleFit;
import org.hadoopprio.agent.hooks.DFSInputStreamHooks;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.hbase.agent.HBaseModules;
import org.hadoopprio.tools.node.InstalledVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio hooks}. */
@Command(
    name = "hooks",
    description = {
      "Compares hadoop-prio with a Hadoop or an HBase before it is installed. It reads their class"
          + " files as the agent does at its start, and prints for each module whether its hooks"
          + " fit, and what would be off if one does not. With HBase it also compares"
          + " hbase-prio.jar. No daemon is asked and nothing is changed.",
      "That the hooks fit does not show that what is behind them works as before: try the new"
          + " version on one host.",
      "The exit status is 0 if all fits that is there, 1 if a part would be off, and 2 for invalid"
          + " input, such as an entry of a class path that is not there, or if it cannot be told.",
      "Example: hprio hooks --hadoop /srv/hadoop-3.5.0 --hbase /srv/hbase-2.6.4"
    },
    mixinStandardHelpOptions = true,
    versionProvider = InstalledVersion.class)
public final class HooksCommand implements Callable<Integer> {

  private static final int CANNOT_TELL = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = "--hadoop",
      paramLabel = "PATH",
      description =
          "The directory of an unpacked Hadoop, or a class path as \"hadoop classpath\" prints it.")
  private String hadoop;

  @Option(
      names = "--hbase",
      paramLabel = "PATH",
      description =
          "The same of an HBase, whose class path \"hbase --internal-classpath classpath\" prints. If"
              + " it brings no Hadoop of its own, name that with --hadoop.")
  private String hbase;

  @Option(names = "--json", description = "Prints the answer as JSON.")
  private boolean json;

  /** Runs the command alone, as a node's {@code hprio} does. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new HooksCommand()).execute(arguments));
  }

  @Override
  public Integer call() {
    try {
      return compare();
    } catch (ParameterException e) {
      throw e;
    } catch (IOException | RuntimeException | LinkageError e) {
      // Of all that reads class files which nobody has seen; a stack trace would name no input.
      spec.commandLine().getErr().println("hprio hooks: cannot compare: " + e);
      return CANNOT_TELL;
    }
  }

  private int compare() throws IOException {
    if (hadoop == null && hbase == null) {
      throw new ParameterException(spec.commandLine(), "--hadoop, --hbase, or both are required");
    }
    HooksAnswer answer = new HooksAnswer();
    List<URL> ofHadoop = hadoop == null ? List.of() : classPath("--hadoop", hadoop);
    if (hadoop != null) {
      List<ModuleFit> modules = modules(ofHadoop, HdfsModules.ALL);
      require(modules, "--hadoop", hadoop, "HDFS");
      answer.add("Hadoop", modules);
    }
    if (hbase != null) {
      List<URL> ofHBase = new ArrayList<>(classPath("--hbase", hbase));
      // Its own Hadoop goes first, as in its daemons.
      ofHBase.addAll(ofHadoop);
      addHBase(answer, ofHBase);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? new ObjectMapper().writeValueAsString(answer.toMap()) : answer.toText());
    out.flush();
    return answer.isFit() ? 0 : 1;
  }

  private void addHBase(HooksAnswer answer, List<URL> classPath) throws IOException {
    List<ModuleFit> modules = modules(classPath, HBaseModules.ALL);
    require(modules, "--hbase", hbase, "HBase");
    answer.add("HBase", modules);
    List<ModuleFit> ofHdfs =
        modules(
            classPath,
            HdfsModules.ALL.stream()
                .filter(
                    module -> module.presenceType().equals(DFSInputStreamHooks.DFS_INPUT_STREAM))
                .collect(Collectors.toList()));
    answer.add("HBase", ofHdfs);
    if (modules.get(0).state() == ModuleFit.State.ABSENT) {
      answer.skipCoprocessor("there is no RegionServer in it");
      return;
    }
    // A RegionServer is a client of HDFS, with the classes that it brings.
    require(ofHdfs, "--hbase", hbase, "HDFS clients; name its Hadoop with --hadoop");
    if (!CoprocessorFit.isKnown()) {
      throw new IOException(
          "hbase-prio.jar is not beside this command; install all of hadoop-prio");
    }
    answer.addCoprocessor(CoprocessorFit.misfits(classPath));
  }

  private List<URL> classPath(String option, String text) {
    try {
      return JarPath.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }

  private static List<ModuleFit> modules(List<URL> classPath, List<HookModule> modules)
      throws IOException {
    try (HookFit fit = new HookFit(classPath)) {
      return fit.modules(modules);
    }
  }

  private void require(List<ModuleFit> modules, String option, String text, String program) {
    if (modules.stream().allMatch(fit -> fit.state() == ModuleFit.State.ABSENT)) {
      throw new ParameterException(
          spec.commandLine(), option + " = " + text + ": in it are no classes of " + program);
    }
  }
}
