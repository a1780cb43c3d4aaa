// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.hadoopprio.lab.it.Clusters.assertNearlyAll;
import static org.hadoopprio.lab.it.Clusters.assertOnlyBesideWrites;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.thrift.generated.Hbase;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Gateways to HBase and HDFS, whose clients have nothing of hadoop-prio. */
class GatewaysIT {

  private static final IoPriority RT3 = IoPriority.realtime(3);
  private static final TableName TABLE = TableName.valueOf("gateways");
  private static final int FILE_MIB = 16;

  private static LocalCluster cluster;
  private static Connection connection;

  @BeforeAll
  static void start() throws Exception {
    cluster = SharedCluster.getWithStockScheduler();
    Clusters.requireBlockTrace(cluster);
    connection = ConnectionFactory.createConnection(cluster.hbaseConf());
    RandomRows.load(connection, TABLE, 300);
  }

  @AfterAll
  static void stop() throws IOException {
    if (connection != null) {
      Clusters.drop(connection, TABLE);
      connection.close();
    }
  }

  private static BlockTraceSummary tracedReads(Clusters.Reads reads) throws Exception {
    return RandomRows.tracedReads(cluster, connection, TABLE, reads);
  }

  /** Its connections have the priority of its environment. */
  @Test
  void aRestGatewayStatesThePriorityOfItsEnvironment() throws Exception {
    try (Gateway gateway = Gateway.rest(cluster, RT3)) {
      String value = "/" + TABLE + "/row000%03d/f:q";
      gateway.get(String.format(value, 100));
      assertOnlyBesideWrites(RT3, tracedReads(() -> gateway.get(String.format(value, 200))));
    }
  }

  /** And Thrift's protocol has a place for an operation's own. */
  @Test
  void aThriftGatewayStatesThePriorityOfItsEnvironmentOrOfTheOperation() throws Exception {
    try (Gateway gateway = Gateway.thrift(cluster, RT3);
        TSocket socket = new TSocket("127.0.0.1", gateway.port())) {
      socket.open();
      Hbase.Client client = new Hbase.Client(new TBinaryProtocol(socket));
      get(client, 100, Map.of());
      assertOnlyBesideWrites(RT3, tracedReads(() -> get(client, 200, Map.of())));
      Map<ByteBuffer, ByteBuffer> other = Map.of(bytes(IoPriority.ATTRIBUTE), bytes("be:3"));
      assertOnlyBesideWrites(IoPriority.bestEffort(3), tracedReads(() -> get(client, 250, other)));
    }
  }

  private static void get(Hbase.Client client, int row, Map<ByteBuffer, ByteBuffer> attributes)
      throws Exception {
    ByteBuffer key = ByteBuffer.wrap(RandomRows.key(row));
    assertEquals(1, client.getRow(bytes(TABLE.getNameAsString()), key, attributes).size());
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(Bytes.toBytes(text));
  }

  /** It reads and writes with one priority, whoever asks. */
  @Test
  void httpFsStatesThePriorityOfItsEnvironment() throws Exception {
    byte[] content = new byte[FILE_MIB * MIB];
    new Random(FILE_MIB).nextBytes(content);
    String file =
        "/webhdfs/v1/gateways?user.name=" + System.getProperty("user.name") + "&data=true&op=";
    try (Gateway gateway = Gateway.httpFs(cluster, RT3)) {
      BlockTraceSummary written =
          Clusters.traced(cluster, () -> gateway.put(file + "CREATE&overwrite=true", content));
      // The last bytes of a file are the kernel's to write.
      assertTrue(written.writes(RT3).bytes() > content.length / 2, written::toString);
      assertNearlyAll(
          RT3,
          content.length,
          Clusters.traced(cluster, () -> assertArrayEquals(content, gateway.get(file + "OPEN"))));
    }
  }
}
