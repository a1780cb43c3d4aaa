// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopprio.IoPriority;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.InstalledVersion;
import org.hadoopprio.tools.node.SiteFiles;
import org.hadoopprio.tools.node.WebClient;
import org.hadoopprio.tools.trace.BlockTraceInstance;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hprio prove}. */
@Command(
    name = "prove",
    description = {
      "Gets one row with a priority and shows each hop that it passes: HBase client, RegionServer,"
          + " HDFS client, DataNode, thread, block layer. It ends with \"proven\", or says at which"
          + " hop the priority stopped, and what to do.",
      "Run it as root on the host of the RegionServer that serves the row, beside its DataNode."
          + " Take a row that nobody has read lately: the Get is not cached by the RegionServer, and"
          + " the row is taken out of this host's page cache. Nothing else changes.",
      "What is read at the disk is told by the place of the row's bytes, from the kernel's block"
          + " trace. Before Linux 6.11 that has no priorities: then the proof ends at the thread."
          + " Counters are of all requests of a daemon; on a busy one, others are among them.",
      "The exit status is 0 if it is proven, 1 if the priority stopped, and 2 for invalid input or if"
          + " it cannot be told.",
      "Example: hprio prove usertable user1000 --priority rt:0"
    },
    mixinStandardHelpOptions = true,
    versionProvider = InstalledVersion.class)
public final class ProveCommand implements Callable<Integer> {

  private static final int PROVEN = 0;
  private static final int STOPPED = 1;
  private static final int CANNOT_TELL = 2;

  /** Of HBase's client: of a call, of a scan, of what looks up regions, of an operation. */
  private static final List<String> TIMEOUTS =
      List.of(
          "hbase.rpc.timeout",
          "hbase.rpc.read.timeout",
          "hbase.client.meta.read.rpc.timeout",
          "hbase.client.scanner.timeout.period",
          "hbase.client.meta.scanner.timeout.period",
          "hbase.client.meta.operation.timeout",
          "hbase.client.operation.timeout");

  private static final int TIMEOUT_MS = 10_000;

  /** Of any client of HBase. */
  private static final String KEYTAB = "hbase.client.keytab.file";

  private static final String PRINCIPAL = "hbase.client.kerberos.principal";

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table, namespace:name or name.")
  private String table;

  @Parameters(
      index = "1",
      paramLabel = "ROW",
      description = "The row in HBase's printable form, with \\x00 for bytes.")
  private String row;

  @Option(
      names = "--priority",
      paramLabel = "PRIORITY",
      defaultValue = "rt:0",
      description = "The priority that the Get states; by default ${DEFAULT-VALUE}.")
  private String priority;

  @Option(
      names = "--conf",
      paramLabel = "DIRECTORY",
      description =
          "The directory of hbase-site.xml, core-site.xml and hdfs-site.xml; by default those of the"
              + " class path.")
  private Path conf;

  @Option(names = "--json", description = "Prints the proof as JSON.")
  private boolean json;

  /** Runs the command alone, as a node's {@code hprio} does. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ProveCommand()).execute(arguments));
  }

  @Override
  public Integer call() {
    IoPriority asked = priority();
    TableName name = name();
    byte[] key = key();
    Configuration site = site();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // Where Hadoop's classes look for the files of --conf.
    thread.setContextClassLoader(site.getClassLoader());
    try {
      return login(site)
          .doAs((PrivilegedExceptionAction<Integer>) () -> prove(site, name, key, asked));
    } catch (TableNotFoundException e) {
      return cannotTell("there is no table " + name);
    } catch (WebClient.AccessException e) {
      return cannotTell(e.getMessage() + "; " + e.remedy());
    } catch (IOException e) {
      return cannotTell(ProveFailure.access(e).orElseGet(() -> ProveFailure.reason(e)));
    } catch (InterruptedException e) {
      thread.interrupt();
      return cannotTell("it was interrupted");
    } catch (RuntimeException | LinkageError e) {
      // Such as a name service that this command does not have.
      return cannotTell(e.toString());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private int prove(Configuration site, TableName name, byte[] key, IoPriority asked)
      throws IOException {
    GetTrial trial = new GetTrial(Host.here(), new WebClient(() -> site));
    try (BlockTraceInstance trace = BlockTraceInstance.create();
        ColdRow cold = find(site, name, key)) {
      Proof proof = new Proof(trial.run(cold, "row " + row + " of " + table, asked, trace));
      PrintWriter out = spec.commandLine().getOut();
      out.println(json ? proof.toJson() : proof.toText());
      out.flush();
      return proof.holds() ? PROVEN : proof.isUndecided() ? CANNOT_TELL : STOPPED;
    }
  }

  /**
   * Kerberos as the site's files say: by the client's keytab if they name one, else by a ticket.
   */
  private static UserGroupInformation login(Configuration site) throws IOException {
    try {
      UserGroupInformation.setConfiguration(site);
    } catch (IllegalArgumentException e) {
      // The JVM has no realm for the names of a cluster with Kerberos.
      throw new IOException(
          "the cluster requires Kerberos, and this host is not set up for it ("
              + e.getMessage()
              + "): name the realm in /etc/krb5.conf, and kinit as one who may read the table",
          e);
    }
    if (!UserGroupInformation.isSecurityEnabled()) {
      return UserGroupInformation.getCurrentUser();
    }
    if (!site.getTrimmed(KEYTAB, "").isEmpty()) {
      SecurityUtil.login(site, KEYTAB, PRINCIPAL);
    }
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    if (!user.hasKerberosCredentials()) {
      throw new IOException(
          "the cluster requires Kerberos, and user "
              + user.getUserName()
              + " has no ticket: kinit as one who may read the table and hbase.rootdir, such as"
              + " hbase (or set KRB5CCNAME)");
    }
    return user;
  }

  // ---- input --------------------------------------------------------------------------------

  private IoPriority priority() {
    try {
      IoPriority parsed = IoPriority.parse(priority);
      // A Get below normal is read at normal, because a lock of HBase is held meanwhile.
      if (!parsed.isNone() && parsed.compareTo(IoPriority.NONE) <= 0) {
        return parsed;
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--priority: " + e.getMessage(), e);
    }
    throw new ParameterException(
        spec.commandLine(),
        "--priority = "
            + priority
            + ": allowed: rt, and be:0 to be:4; HBase reads a row at normal at least");
  }

  private byte[] key() {
    try {
      byte[] key = Bytes.toBytesBinary(row);
      if (key.length > 0) {
        return key;
      }
    } catch (IndexOutOfBoundsException e) {
      throw new ParameterException(
          spec.commandLine(), "ROW = " + row + ": \\x takes two digits", e);
    }
    throw new ParameterException(spec.commandLine(), "ROW is empty");
  }

  private TableName name() {
    try {
      return TableName.valueOf(table);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "TABLE = " + table + ": " + e.getMessage(), e);
    }
  }

  /** For tests, too: what HBase's client is made with. */
  Configuration site() {
    Configuration files;
    try {
      files = conf == null ? SiteFiles.ofClassPath() : SiteFiles.of(conf);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--conf: " + e.getMessage(), e);
    }
    Configuration site = HBaseConfiguration.create(files);
    // It copies the keys only.
    site.setClassLoader(files.getClassLoader());
    // An operator waits; by default HBase's client tries for minutes.
    site.setInt("hbase.client.retries.number", 2);
    for (String limit : TIMEOUTS) {
      site.setInt(limit, TIMEOUT_MS);
    }
    site.setInt("zookeeper.recovery.retry", 1);
    return site;
  }

  private static ColdRow find(Configuration site, TableName name, byte[] key) throws IOException {
    try {
      return new ColdRow(site, name, key);
    } catch (IOException e) {
      if (e instanceof TableNotFoundException || ProveFailure.access(e).isPresent()) {
        throw e;
      }
      throw new IOException(
          "HBase does not say who serves the row ("
              + ProveFailure.reason(e)
              + "); does hbase:meta have a RegionServer that answers, and is this its"
              + " hbase-site.xml (--conf)?",
          e);
    }
  }

  private int cannotTell(String reason) {
    spec.commandLine().getErr().println("hprio prove: " + reason);
    return CANNOT_TELL;
  }
}
