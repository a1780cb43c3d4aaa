// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Two users read from one virtual disk whose drive knows no priority, and the DataNode's policy
 * says what each has of it. The DataNode knows them by their block tokens.
 */
class TenantsIT {

  private static final String POLICY = DataNodeKeys.POLICY_FILE.name();
  private static final int STREAMS = 4;
  private static final int STREAM_MIB = 128;
  private static final long RAMP_MILLIS = 2_000;
  private static final long LOAD_MILLIS = 8_000;

  private static LocalCluster cluster;
  private static Path policies;

  @BeforeAll
  static void start() throws IOException {
    cluster = PlainDrive.of(TenantsIT.class).conf("dfs.block.access.token.enable", "true").start();
    policies = Files.createDirectories(cluster.directory().resolve("policies"));
    Map<org.apache.hadoop.fs.Path, Integer> files = new LinkedHashMap<>();
    for (int i = 0; i < STREAMS; i++) {
      files.put(stream(i), STREAM_MIB);
    }
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      PlainDrive.write(cluster, fs, files);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
  }

  private static org.apache.hadoop.fs.Path stream(int i) {
    return new org.apache.hadoop.fs.Path("/stream" + i);
  }

  /** As an operator does. */
  private static String setTenants(String alice, String bob) throws Exception {
    Path file = Files.createTempFile(policies, "policy", ".xml");
    Files.writeString(
        file,
        "<io-priority-policy>\n<tenant name='a' "
            + alice
            + "/>\n<tenant name='b' "
            + bob
            + "/>\n<rule user='alice' highest='be:0' tenant='a'/>\n"
            + "<rule user='bob' highest='be:0' tenant='b'/>\n</io-priority-policy>\n");
    return DiskTimeIT.reconfigure(cluster, POLICY, file.toString());
  }

  /** What each of the streams has read, in MB/s; the first ones are alice's. */
  private static double[] read(int ofAlice, int ofBob) throws Exception {
    AtomicLong[] bytes = new AtomicLong[ofAlice + ofBob];
    AtomicBoolean end = new AtomicBoolean();
    ExecutorService readers = Executors.newFixedThreadPool(bytes.length);
    List<Future<?>> running = new ArrayList<>();
    double[] rates = new double[bytes.length];
    try {
      for (int i = 0; i < bytes.length; i++) {
        AtomicLong its = new AtomicLong();
        bytes[i] = its;
        org.apache.hadoop.fs.Path file = stream(i);
        String user = i < ofAlice ? "alice" : "bob";
        running.add(
            readers.submit(
                () -> {
                  try (FileSystem fs = fileSystem(user)) {
                    scan(fs, file, its, end);
                  }
                  return null;
                }));
      }
      Thread.sleep(RAMP_MILLIS);
      for (AtomicLong each : bytes) {
        each.set(0);
      }
      Thread.sleep(LOAD_MILLIS);
      for (int i = 0; i < bytes.length; i++) {
        rates[i] = bytes[i].get() / 1e3 / LOAD_MILLIS;
      }
      end.set(true);
      for (Future<?> reader : running) {
        reader.get(1, TimeUnit.MINUTES);
      }
    } finally {
      end.set(true);
      readers.shutdownNow();
    }
    return rates;
  }

  private static FileSystem fileSystem(String user) throws Exception {
    Configuration conf = cluster.hadoopConf();
    conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    return FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf, user);
  }

  private static void scan(
      FileSystem fs, org.apache.hadoop.fs.Path file, AtomicLong bytes, AtomicBoolean end)
      throws IOException {
    byte[] buffer = new byte[64 * 1024];
    while (!end.get()) {
      try (FSDataInputStream in = fs.open(file)) {
        int n = 0;
        while (n >= 0 && !end.get()) {
          n = in.read(buffer);
          bytes.addAndGet(Math.max(0, n));
        }
      }
    }
  }

  private static JsonNode tenant(String name) throws IOException {
    JsonNode volumes =
        cluster
            .jmx(cluster.daemon(Role.DATANODE), PriorityMBean.OBJECT_NAME)
            .path(0)
            .path("Volumes");
    for (JsonNode tenant : volumes.path(0).path("queue").path("tenants")) {
      if (tenant.path("tenant").asText().equals(name)) {
        return tenant;
      }
    }
    throw new AssertionError("no tenant " + name + ": " + volumes);
  }

  private static double sum(double[] rates, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += rates[i];
    }
    return sum;
  }

  /** The files lie one behind the other, so that each is read at about the same speed. */
  @Test
  void usersHaveDiskTimeByTheirTenantsHoweverManyStreamsTheyHave() throws Exception {
    assertTrue(setTenants("weight='1'", "weight='1'").contains("SUCCESS"));
    double[] equal = read(3, 1);
    double all = sum(equal, 0, STREAMS);
    assertEquals(0.5, equal[3] / all, 0.08, () -> List.of(equal[0], equal[3]).toString());
    JsonNode bob = tenant("b");
    assertTrue(bob.path("waits").asLong() > 10, bob::toString);
    double blamed =
        bob.path("blamed").findParents("tenant").stream()
            .filter(each -> each.path("tenant").asText().equals("a"))
            .mapToDouble(each -> each.path("millis").asDouble())
            .sum();
    assertTrue(blamed > 0.8 * bob.path("waitMillis").asDouble(), bob::toString);

    assertTrue(setTenants("weight='4'", "weight='1'").contains("SUCCESS"));
    double[] weighted = read(2, 2);
    double first = sum(weighted, 0, 2);
    double second = sum(weighted, 2, STREAMS);
    assertEquals(4, first / second, 0.8, () -> first + " and " + second);
  }

  @Test
  void aLimitLeavesTheDiskFree() throws Exception {
    assertTrue(setTenants("weight='1'", "weight='1'").contains("SUCCESS"));
    double free = sum(read(2, 0), 0, 2);
    assertTrue(setTenants("limit='0.3'", "weight='1'").contains("SUCCESS"));
    double limited = sum(read(2, 0), 0, 2);
    assertEquals(0.3, limited / free, 0.06, () -> limited + " MB/s, without " + free);

    String wrong = setTenants("guarantee='0.7'", "guarantee='0.7'");
    assertTrue(
        wrong.contains("FAILED")
            && wrong.contains("line 3: the guarantees of [a, b] are 1.4 together; allowed: 1"),
        wrong);
    double still = sum(read(2, 0), 0, 2);
    assertEquals(limited, still, limited * 0.2, "a wrong policy leaves the old one in force");
  }
}
