package org.hadoopprio.lab.it;

import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.hadoopprio.lab.it.Clusters.assertNearlyAll;
import static org.hadoopprio.lab.it.Clusters.traced;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.minikdc.MiniKdc;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * With Kerberos, block tokens and encrypted data transfer, a DataNode grants each user what the
 * policy allows to the user of the token; all clients ask for rt:0. The KDC is Apache Kerby's, in
 * this process. "daemon" is a user of every Unix, in a group of that name.
 */
class KerberosIT {

  private static final Path HOME = Path.of("target", "it", "kdc").toAbsolutePath();
  private static final Path KEYTAB = HOME.resolve("keytab");
  private static final String FILE = "/file";
  private static final int FILE_MIB = 8;
  private static final IoPriority RT0 = IoPriority.realtime(0);

  private static MiniKdc kdc;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Clusters.requireRoot("a block trace");
    Files.createDirectories(HOME);
    Path policy =
        Files.writeString(
            HOME.resolve("policy.xml"),
            "<io-priority-policy>\n"
                + "<rule user='alice' highest='rt:1'/>\n"
                + "<rule group='daemon' highest='rt:5'/>\n"
                + "</io-priority-policy>\n");
    Properties properties = MiniKdc.createConf();
    properties.setProperty(MiniKdc.KDC_BIND_ADDRESS, "localhost");
    kdc = new MiniKdc(properties, HOME.toFile());
    kdc.start();
    kdc.createPrincipal(
        KEYTAB.toFile(), "hdfs/localhost", "HTTP/localhost", "alice", "bob", "daemon");
    String krb5 = kdc.getKrb5conf().getAbsolutePath();
    String hdfs = "hdfs/localhost@" + kdc.getRealm();
    cluster =
        Clusters.of(KerberosIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .conf("hadoop.security.authentication", "kerberos")
            .conf("hadoop.security.authorization", "true")
            .conf("dfs.block.access.token.enable", "true")
            .conf("dfs.encrypt.data.transfer", "true")
            .conf("dfs.data.transfer.protection", "privacy")
            .conf("dfs.permissions.enabled", "false")
            .conf("dfs.namenode.kerberos.principal", hdfs)
            .conf("dfs.namenode.keytab.file", KEYTAB.toString())
            .conf("dfs.datanode.kerberos.principal", hdfs)
            .conf("dfs.datanode.keytab.file", KEYTAB.toString())
            .conf("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + kdc.getRealm())
            .conf("dfs.web.authentication.kerberos.keytab", KEYTAB.toString())
            // Its web server would need a certificate; the data transfer needs none.
            .conf("ignore.secure.ports.for.testing", "true")
            .configureAll(o -> o.systemProperty("java.security.krb5.conf", krb5))
            .configure(
                Role.DATANODE,
                o ->
                    o.conf(DataNodeKeys.HIGHEST.name(), "be:0")
                        .conf(DataNodeKeys.POLICY_FILE.name(), policy.toString()))
            .start();
    Clusters.requireBlockTrace(cluster);
    Clusters.output(client("alice", "write"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
    if (kdc != null) {
      kdc.stop();
    }
  }

  private static ClientCommand client(String user, String action) throws IOException {
    return cluster
        .client(
            KerberosClient.class.getName(),
            user + "@" + kdc.getRealm(),
            KEYTAB.toString(),
            action,
            FILE,
            Integer.toString(FILE_MIB))
        .addClassPath(TestClasses.directory())
        .jvmOption("-Djava.security.krb5.conf=" + kdc.getKrb5conf().getAbsolutePath())
        .env("HADOOP_IO_PRIORITY", RT0.toString());
  }

  private static BlockTraceSummary readAs(String user) throws Exception {
    return traced(cluster, () -> Clusters.output(client(user, "read")));
  }

  @Test
  void theBlockLayerSeesWhatTheTokensUserMayHave() throws Exception {
    long clamped = Clusters.dataNodes(cluster, "Clamped");
    Map<String, IoPriority> allowed =
        Map.of(
            "alice", IoPriority.realtime(1),
            "bob", IoPriority.bestEffort(0),
            "daemon", IoPriority.realtime(5));
    for (Map.Entry<String, IoPriority> user : allowed.entrySet()) {
      assertNearlyAll(user.getValue(), (long) FILE_MIB * MIB, readAs(user.getKey()));
    }
    assertEquals(clamped + 3, Clusters.dataNodes(cluster, "Clamped"));
    assertTrue(
        Files.readString(cluster.daemon(Role.DATANODE).logFile()).contains("asked for rt:0"));
    assertEquals(0, Clusters.dataNodes(cluster, "Failed"));
  }
}
