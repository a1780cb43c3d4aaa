package org.hadoopprio.doctor;

import com.sun.net.httpserver.HttpServer;
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

/** Serves the pages /jmx and /conf of a simulated daemon. */
final class FakeDaemon implements Closeable {

  private final HttpServer server;
  private final Map<String, Deque<String>> beans = new TreeMap<>();
  private String conf = "";

  FakeDaemon() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/jmx", e -> answer(e, jmx(e.getRequestURI().getRawQuery())));
    server.createContext("/conf", e -> answer(e, "<configuration>" + conf + "</configuration>"));
    server.start();
  }

  /** Adds an MBean: its name and its attributes as JSON, without the braces. */
  FakeDaemon bean(String name, String attributes) {
    return answers(name, List.of("{" + attributes + "}"));
  }

  /** Adds an MBean: its name and what is answered one after the other, the last one for ever. */
  FakeDaemon answers(String name, List<String> answers) {
    beans.put(name, new ArrayDeque<>(answers));
    return this;
  }

  /** Sets a key of the configuration. */
  FakeDaemon conf(String key, String value) {
    conf += "<property><name>" + key + "</name><value>" + value + "</value></property>";
    return this;
  }

  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private String jmx(String query) {
    String name = URLDecoder.decode(query.substring("qry=".length()), StandardCharsets.UTF_8);
    Deque<String> answers = beans.getOrDefault(name, new ArrayDeque<>(List.of("")));
    return "{\"beans\":[" + (answers.size() > 1 ? answers.remove() : answers.element()) + "]}";
  }

  private static void answer(com.sun.net.httpserver.HttpExchange exchange, String text)
      throws IOException {
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
