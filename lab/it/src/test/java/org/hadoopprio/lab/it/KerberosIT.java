// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.hadoopprio.lab.it.Clusters.assertNearlyAll;
import static org.hadoopprio.lab.it.Clusters.traced;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import org.apache.hadoop.minikdc.MiniKdc;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.hadoopprio.tools.prove.ProveCommand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * With Kerberos, block tokens and encrypted data transfer, a DataNode grants each user what the
 * policy allows to the user of the token; all clients ask for rt:0. The doctor logs in to it. The
 * KDC is Apache Kerby's, in this process. "daemon" is a user of every Unix, in a group of that
 * name.
 */
class KerberosIT {

  private static final Path HOME = Path.of("target", "it", "kdc").toAbsolutePath();
  private static final Path KEYTAB = HOME.resolve("keytab");
  private static final String FILE = "/file";
  private static final int FILE_MIB = 8;
  private static final IoPriority RT0 = IoPriority.realtime(0);

  private static final Path KEY = HOME.resolve("key.p12");
  private static final String PASSWORD = "for-a-test";

  private static MiniKdc kdc;
  private static LocalCluster cluster;
  private static int httpsPort;

  @BeforeAll
  static void start() throws Exception {
    Clusters.requireRoot("a block trace");
    Files.createDirectories(HOME);
    Path policy =
        Files.writeString(
            HOME.resolve("policy.xml"),
            "<io-priority-policy>\n"
                + "<rule user='alice' highest='rt:1'/>\n"
                + "<rule user='hdfs' highest='rt:2'/>\n"
                + "<rule group='daemon' highest='rt:5'/>\n"
                + "</io-priority-policy>\n");
    Path secret = Files.writeString(HOME.resolve("secret"), "a secret of this test");
    Properties properties = MiniKdc.createConf();
    properties.setProperty(MiniKdc.KDC_BIND_ADDRESS, "localhost");
    kdc = new MiniKdc(properties, HOME.toFile());
    kdc.start();
    kdc.createPrincipal(
        KEYTAB.toFile(),
        "hdfs/localhost",
        "HTTP/localhost",
        // The kit asks the daemons by this address.
        "HTTP/127.0.0.1",
        "alice",
        "bin",
        "daemon");
    String krb5 = kdc.getKrb5conf().getAbsolutePath();
    String hdfs = "hdfs/localhost@" + kdc.getRealm();
    makeKey();
    httpsPort = Clusters.freePort();
    ClusterBuilder builder =
        Clusters.of(KerberosIT.class)
            .conf("hbase.security.authentication", "kerberos")
            .conf("hbase.master.kerberos.principal", hdfs)
            .conf("hbase.master.keytab.file", KEYTAB.toString())
            .conf("hbase.regionserver.kerberos.principal", hdfs)
            .conf("hbase.regionserver.keytab.file", KEYTAB.toString())
            .conf("hbase.client.kerberos.principal", "alice@" + kdc.getRealm())
            .conf("hbase.client.keytab.file", KEYTAB.toString())
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
            // HTTP, too, for the kit.
            .conf("ignore.secure.ports.for.testing", "true")
            .configureAll(o -> o.systemProperty("java.security.krb5.conf", krb5))
            .configure(
                Role.DATANODE,
                o ->
                    o.conf(DataNodeKeys.HIGHEST.name(), "be:0")
                        .conf(DataNodeKeys.POLICY_FILE.name(), policy.toString())
                        .conf("dfs.http.policy", "HTTP_AND_HTTPS")
                        .conf("dfs.datanode.https.address", "localhost:" + httpsPort)
                        .conf("ssl.server.keystore.location", KEY.toString())
                        .conf("ssl.server.keystore.password", PASSWORD)
                        .conf("ssl.server.keystore.keypassword", PASSWORD)
                        .conf("ssl.server.keystore.type", "pkcs12")
                        .conf(
                            "hadoop.http.filter.initializers",
                            "org.apache.hadoop.security.AuthenticationFilterInitializer")
                        .conf("hadoop.http.authentication.type", "kerberos")
                        .conf("hadoop.http.authentication.kerberos.principal", "*")
                        .conf("hadoop.http.authentication.kerberos.keytab", KEYTAB.toString())
                        .conf(
                            "hadoop.http.authentication.signature.secret.file", secret.toString()));
    cluster = as("alice", builder::start);
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

  /** A key for TLS, with its certificate. */
  private static void makeKey() throws IOException {
    Files.deleteIfExists(KEY);
    SystemCommand.run(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-alias",
        "host",
        "-keyalg",
        "EC",
        "-dname",
        "CN=localhost",
        "-ext",
        "SAN=dns:localhost",
        "-storetype",
        "PKCS12",
        "-keystore",
        KEY.toString(),
        "-storepass",
        PASSWORD);
  }

  /** Does something with a user's ticket, as after kinit. */
  private static <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
    Map<String, String> options =
        Map.of(
            "useKeyTab",
            "true",
            "keyTab",
            KEYTAB.toString(),
            "principal",
            user + "@" + kdc.getRealm(),
            "doNotPrompt",
            "true",
            "refreshKrb5Config",
            "true");
    AppConfigurationEntry entry =
        new AppConfigurationEntry(
            "com.sun.security.auth.module.Krb5LoginModule",
            AppConfigurationEntry.LoginModuleControlFlag.REQUIRED,
            options);
    LoginContext login =
        new LoginContext(
            "test",
            new Subject(),
            null,
            new Configuration() {
              @Override
              public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return new AppConfigurationEntry[] {entry};
              }
            });
    login.login();
    return Subject.doAs(login.getSubject(), action);
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

  /** Until the DataNode has known the user's groups, if a rule needs them. */
  private static BlockTraceSummary readAs(String user) throws Exception {
    for (int attempt = 0; attempt < 5; attempt++) {
      long unknown = counter("GroupsUnknown");
      BlockTraceSummary seen = traced(cluster, () -> Clusters.output(client(user, "read")));
      if (counter("GroupsUnknown") == unknown) {
        return seen;
      }
    }
    throw new AssertionError("the DataNode does not learn the groups of " + user);
  }

  @Test
  void theBlockLayerSeesWhatTheTokensUserMayHave() throws Exception {
    long clamped = counter("Clamped");
    Map<String, IoPriority> allowed =
        Map.of(
            "alice", IoPriority.realtime(1),
            "bin", IoPriority.bestEffort(0),
            "daemon", IoPriority.realtime(5));
    for (Map.Entry<String, IoPriority> user : allowed.entrySet()) {
      assertNearlyAll(user.getValue(), (long) FILE_MIB * MIB, readAs(user.getKey()));
    }
    assertEquals(clamped + 3, counter("Clamped"));
    assertTrue(
        Files.readString(cluster.daemon(Role.DATANODE).logFile()).contains("asked for rt:0"));
    assertEquals(0, counter("Failed"));
  }

  private static long counter(String name) throws Exception {
    return as("alice", () -> Clusters.dataNodes(cluster, name));
  }

  /** The DataNode's pages need HTTPS with a certificate of its own, and a Kerberos login. */
  @Test
  void theDoctorSeesADataNodeWithATicketOnly() throws Exception {
    Path conf = cluster.daemon(Role.DATANODE).confDirectory();
    Files.writeString(
        conf.resolve("ssl-client.xml"),
        "<configuration>"
            + property("ssl.client.truststore.location", KEY.toString())
            + property("ssl.client.truststore.password", PASSWORD)
            + property("ssl.client.truststore.type", "pkcs12")
            + "</configuration>");
    String[] arguments = {"--http", "https://localhost:" + httpsPort, "--conf", conf.toString()};
    DoctorVisit visit = as("alice", () -> new DoctorVisit(arguments));
    assertEquals(List.of("ok agent"), visit.findings("agent", "daemon"), visit.output());
    assertTrue(visit.findings("disk-time").size() > 0, visit.output());
    DoctorVisit without = new DoctorVisit(arguments);
    assertEquals(List.of("skipped daemon"), without.findings("agent", "daemon"), without.output());
    assertTrue(without.remedy("daemon").contains("kinit"), without.output());
  }

  /** The table's client and the command log in by the keytab that hbase-site.xml names. */
  @Test
  void aRowIsProvenWithAKeytab() throws Exception {
    Clusters.output(client("alice", "table"));
    String said =
        Clusters.output(
            cluster
                .client(
                    ProveCommand.class.getName(),
                    KerberosClient.TABLE,
                    KerberosClient.TABLE,
                    "--priority",
                    "rt:2")
                .jvmOption("-Djava.security.krb5.conf=" + kdc.getKrb5conf().getAbsolutePath()));
    assertTrue(said.contains("proven: the Get reached the disk at rt:2"), said);
  }

  private static String property(String key, String value) {
    return "<property><name>" + key + "</name><value>" + value + "</value></property>";
  }
}
