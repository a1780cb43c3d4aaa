package org.hadoopprio.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/** The HTTP pages that every Hadoop and HBase daemon serves. Thread-safe. */
public final class DaemonPages {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .connectTimeout(TIMEOUT)
          // A DataNode's server closes a connection that asks for an upgrade to HTTP/2.
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();

  private final String base;

  /**
   * The pages at an address.
   *
   * @param address {@code host:port} or a URL without a path
   * @throws IllegalArgumentException if it is neither
   */
  public DaemonPages(String address) {
    String url = address.contains("://") ? address : "http://" + address;
    URI uri = URI.create(url.replaceAll("/+$", ""));
    if (uri.getHost() == null || uri.getPort() < 0 || !uri.getPath().isEmpty()) {
      throw new IllegalArgumentException(
          "\""
              + address
              + "\" is not an address; allowed: HOST:PORT, http://HOST:PORT and https://");
    }
    this.base = uri.toString();
  }

  /**
   * The MBeans that a query finds; an empty array if it finds none.
   *
   * @throws IOException if the daemon does not answer, or answers with a status other than 200
   */
  public JsonNode jmx(String query) throws IOException {
    return JSON.readTree(get("/jmx?qry=" + encode(query))).path("beans");
  }

  /**
   * The configuration that the daemon runs with.
   *
   * @throws IOException as above
   */
  Configuration conf() throws IOException {
    // Hadoop answers in XML unless the header Accept asks for another format; HBase obeys "format".
    byte[] xml = get("/conf?format=xml").getBytes(StandardCharsets.UTF_8);
    Configuration conf = new Configuration(false);
    conf.addResource(new ByteArrayInputStream(xml));
    return conf;
  }

  /** Encodes a text for a query. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * A page's text.
   *
   * @param path begins with a slash
   * @throws IOException as above
   */
  public String get(String path) throws IOException {
    URI uri = URI.create(base + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
    try {
      HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(uri + " answers " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while asking " + uri);
    }
  }

  @Override
  public String toString() {
    return base;
  }
}
