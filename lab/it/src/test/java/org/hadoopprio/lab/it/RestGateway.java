// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;

/** HBase's REST gateway in a process of its own, with the agent. */
final class RestGateway implements Closeable {

  private static final Path LOG = Path.of("target", "it", "rest-gateway.log").toAbsolutePath();
  private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Process process;
  private final int port;

  private RestGateway(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one that states a priority by its environment. */
  static RestGateway start(LocalCluster cluster, IoPriority priority) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    ClientCommand command =
        cluster
            .client(
                "org.apache.hadoop.hbase.rest.RESTServer",
                "start",
                "-p",
                Integer.toString(port),
                "--infoport",
                "-1")
            .env("HADOOP_IO_PRIORITY", priority.toString());
    Path lib = Installation.find().home().resolve("lab/cluster/target/lib-rest");
    try (Stream<Path> jars = Files.list(lib)) {
      List<Path> found = jars.collect(Collectors.toList());
      found.forEach(command::addClassPath);
    }
    Process process =
        command.toProcessBuilder().redirectErrorStream(true).redirectOutput(LOG.toFile()).start();
    RestGateway gateway = new RestGateway(process, port);
    try {
      gateway.awaitReady();
    } catch (Exception | Error e) {
      gateway.close();
      throw e;
    }
    return gateway;
  }

  private void awaitReady() throws Exception {
    long end = System.nanoTime() + TIMEOUT_NANOS;
    while (true) {
      try {
        get("/version/rest");
        return;
      } catch (IOException e) {
        assertTrue(
            process.isAlive() && System.nanoTime() < end,
            () -> "no gateway, see " + LOG + ": " + e);
        Thread.sleep(200);
      }
    }
  }

  /** Reads a path of it, which must be there. */
  void get(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) new URL("http://127.0.0.1:" + port + path).openConnection();
    connection.setRequestProperty("Accept", "application/octet-stream, text/plain");
    connection.setReadTimeout((int) TimeUnit.NANOSECONDS.toMillis(TIMEOUT_NANOS));
    assertEquals(200, connection.getResponseCode(), path);
    assertTrue(connection.getInputStream().readAllBytes().length > 0, path);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
