// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.trace.RequestTrace;
import org.hadoopprio.lab.trace.SampleTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code hprio trace}: one operation, hop by hop. */
@Command(
    name = "trace",
    description =
        "Runs one Get or Scan with cold caches on the running cluster and prints each hop with the"
            + " priority seen there.",
    mixinStandardHelpOptions = true)
final class TraceCommand implements Callable<Integer> {

  /** How many similar lines are printed. */
  private static final int MAX_ALIKE = 4;

  @Spec private CommandSpec spec;
  @Mixin private ClusterCommand.Location location;

  @Option(
      names = "--priority",
      paramLabel = "PRIORITY",
      converter = PriorityConverter.class,
      defaultValue = "rt:3",
      description =
          "The operation's priority, such as rt:0, be:7 or idle; none for no priority"
              + " (default: ${DEFAULT-VALUE}).")
  private IoPriority priority;

  @Option(names = "--scan", description = "A full Scan instead of a Get.")
  private boolean scan;

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description = "The table (default: a table of its own, created if it does not exist).")
  private String table;

  @Option(
      names = "--row",
      paramLabel = "ROW",
      description = "The row of a Get in HBase's printable form; required with --table.")
  private String row;

  @Option(names = "--json", description = "As JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (table != null && row == null && !scan) {
      throw new ParameterException(spec.commandLine(), "--table requires --row for a Get");
    }
    LocalCluster cluster = LocalCluster.attach(location.path());
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf())) {
      TableName name = table == null ? SampleTable.NAME : TableName.valueOf(table);
      if (table == null) {
        SampleTable.ensure(connection);
      } else {
        requireTable(connection, name);
      }
      IoPriority stated = priority.isNone() ? null : priority;
      byte[] key = row == null ? SampleTable.someRow() : Bytes.toBytesBinary(row);
      print(
          scan
              ? RequestTrace.scan(cluster, connection, name, stated)
              : RequestTrace.get(cluster, connection, name, key, stated));
    }
    return 0;
  }

  private void requireTable(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        throw new ParameterException(spec.commandLine(), "there is no table " + name);
      }
    }
  }

  private void print(RequestTrace trace) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(trace));
    } else {
      out.print(trace.toText(MAX_ALIKE));
    }
    out.flush();
  }

  /** Reads the text form of a priority. */
  static final class PriorityConverter implements ITypeConverter<IoPriority> {
    @Override
    public IoPriority convert(String value) {
      try {
        return IoPriority.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
