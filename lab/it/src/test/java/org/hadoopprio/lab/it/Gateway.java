// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.fs.http.server.HttpFSServerWebServer;
import org.apache.hadoop.hbase.rest.RESTServer;
import org.apache.hadoop.hbase.thrift.ThriftServer;
import org.apache.hbase.thirdparty.com.fasterxml.jackson.jaxrs.json.JacksonJaxbJsonProvider;
import org.apache.thrift.TException;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.Directories;
import org.json.simple.JSONAware;

/** A gateway in a process of its own, with the agent and a priority in its environment. */
final class Gateway implements Closeable {

  private static final Path DIRECTORY = Path.of("target", "it", "gateways").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Process process;
  private final int port;

  private Gateway(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** HBase's REST gateway. */
  static Gateway rest(LocalCluster cluster, IoPriority priority) throws Exception {
    return ofHBase("rest", cluster, RESTServer.class, JacksonJaxbJsonProvider.class, priority);
  }

  /** HBase's first Thrift gateway, which happybase speaks to. */
  static Gateway thrift(LocalCluster cluster, IoPriority priority) throws Exception {
    return ofHBase("thrift", cluster, ThriftServer.class, TException.class, priority);
  }

  /** A gateway of HBase's, which needs the jar of a class that the cluster's programs do not. */
  private static Gateway ofHBase(
      String name, LocalCluster cluster, Class<?> program, Class<?> needs, IoPriority priority)
      throws Exception {
    int port = Clusters.freePort();
    ClientCommand command =
        cluster
            .client(program, "start", "-p", Integer.toString(port), "--infoport", "-1")
            .addClassPath(Installation.classesOf(needs));
    return start(name, command, port, priority);
  }

  /** HttpFS, which acts for the user that a request names. */
  static Gateway httpFs(LocalCluster cluster, IoPriority priority) throws Exception {
    int port = Clusters.freePort();
    Path home = DIRECTORY.resolve("httpfs");
    if (Files.exists(home)) {
      Directories.delete(home);
    }
    Path conf = Files.createDirectories(home.resolve("conf"));
    Files.createDirectories(home.resolve("log"));
    Files.createDirectories(home.resolve("temp"));
    Files.writeString(conf.resolve("httpfs-signature.secret"), "any");
    Files.writeString(
        conf.resolve("httpfs-site.xml"),
        "<configuration>"
            + property("httpfs.http.hostname", "127.0.0.1")
            + property("httpfs.http.port", Integer.toString(port))
            + property("httpfs.hadoop.config.dir", cluster.clientConfDirectory().toString())
            + "</configuration>");
    ClientCommand command =
        cluster
            .client(HttpFSServerWebServer.class)
            .addClassPath(conf)
            .addClassPath(Installation.classesOf(JSONAware.class))
            .jvmOption("-Dhttpfs.home.dir=" + home);
    return start("httpfs", command, port, priority);
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  private static Gateway start(String name, ClientCommand command, int port, IoPriority priority)
      throws Exception {
    Path log = Files.createDirectories(DIRECTORY).resolve(name + ".log");
    Process process =
        command
            .env("HADOOP_IO_PRIORITY", priority.toString())
            .toProcessBuilder()
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Gateway gateway = new Gateway(process, port);
    try {
      gateway.awaitListening(log);
    } catch (Exception | Error e) {
      gateway.close();
      throw e;
    }
    return gateway;
  }

  /** Each of them listens when it has started all else. */
  private void awaitListening(Path log) {
    await("a gateway, see " + log)
        .atMost(PATIENCE)
        .failFast("no gateway, see " + log, () -> !process.isAlive())
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> connect().close());
  }

  private static InetAddress address() {
    return InetAddress.getLoopbackAddress();
  }

  private Socket connect() throws IOException {
    return new Socket(address(), port);
  }

  int port() {
    return port;
  }

  /** Reads a path of it, which must be there, over HTTP. */
  byte[] get(String path) throws IOException {
    HttpURLConnection connection = request(path);
    connection.setRequestProperty("Accept", "application/octet-stream, text/plain");
    assertEquals(200, connection.getResponseCode(), path);
    byte[] read = connection.getInputStream().readAllBytes();
    assertTrue(read.length > 0, path);
    return read;
  }

  /** Writes to a path of it over HTTP. */
  void put(String path, byte[] content) throws IOException {
    HttpURLConnection connection = request(path);
    connection.setRequestMethod("PUT");
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "application/octet-stream");
    connection.getOutputStream().write(content);
    assertEquals(201, connection.getResponseCode(), path);
  }

  private HttpURLConnection request(String path) throws IOException {
    URL url = new URL("http", address().getHostAddress(), port, path);
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setReadTimeout((int) PATIENCE.toMillis());
    return connection;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
