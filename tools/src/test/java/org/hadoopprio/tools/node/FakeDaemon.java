// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;

/** Serves the pages /jmx and /conf of a simulated daemon. */
public final class FakeDaemon implements Closeable {

  private final HttpServer server;
  private final Map<String, Deque<String>> beans = new TreeMap<>();
  private String conf = "";
  private volatile boolean kerberos;

  public FakeDaemon() throws IOException {
    this(HttpServer.create(anyPort(), 0));
  }

  /** A daemon that speaks HTTPS. */
  public FakeDaemon(SSLContext tls) throws IOException {
    this(withTls(tls));
  }

  private FakeDaemon(HttpServer server) {
    this.server = server;
    server.createContext("/jmx", e -> answer(e, jmx(e.getRequestURI().getRawQuery())));
    server.createContext("/conf", e -> answer(e, "<configuration>" + conf + "</configuration>"));
    server.start();
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static HttpServer withTls(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create(anyPort(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  /** Asks for a Kerberos login and accepts none. */
  public FakeDaemon requiresKerberos() {
    kerberos = true;
    return this;
  }

  /** Adds an MBean: its name and its attributes as JSON, without the braces. */
  public FakeDaemon bean(String name, String attributes) {
    return answers(name, List.of("{" + attributes + "}"));
  }

  /** Adds an MBean: its name and what is answered one after the other, the last one for ever. */
  public FakeDaemon answers(String name, List<String> answers) {
    beans.put(name, new ArrayDeque<>(answers));
    return this;
  }

  /** Sets a key of the configuration. */
  public FakeDaemon conf(String key, String value) {
    conf += "<property><name>" + key + "</name><value>" + value + "</value></property>";
    return this;
  }

  /** Answers /conf with 404, as where it is not for everybody. */
  public FakeDaemon withoutConf() {
    server.removeContext("/conf");
    return this;
  }

  public String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private String jmx(String query) {
    String name = URLDecoder.decode(query.substring("qry=".length()), StandardCharsets.UTF_8);
    Deque<String> answers = beans.getOrDefault(name, new ArrayDeque<>(List.of("")));
    return "{\"beans\":[" + (answers.size() > 1 ? answers.remove() : answers.element()) + "]}";
  }

  private void answer(HttpExchange exchange, String text) throws IOException {
    if (kerberos) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Negotiate");
      exchange.sendResponseHeaders(401, -1);
      exchange.close();
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
