package org.hadoopprio.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The HTTP pages every Hadoop and HBase daemon has. */
final class DaemonHttp {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .connectTimeout(TIMEOUT)
          // A DataNode's server closes the connection when it is asked to upgrade to HTTP/2.
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();

  private DaemonHttp() {}

  /** The MBeans a query finds; an empty array when there is none. */
  static JsonNode jmx(int port, String query) throws IOException {
    return JSON.readTree(get(port, "/jmx?qry=" + encode(query))).path("beans");
  }

  /** Sets a logger's level in the running daemon. */
  static void setLogLevel(int port, String logger, String level) throws IOException {
    String answer = get(port, "/logLevel?log=" + encode(logger) + "&level=" + encode(level));
    if (!answer.contains("Setting Level to")) {
      throw new ClusterException(
          "the daemon did not set the level of " + logger + " to " + level + ": " + answer);
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** A page's text. */
  static String get(int port, String path) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
    try {
      HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new ClusterException(uri + " answers " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while asking " + uri);
    }
  }
}
