// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** The web pages that every Hadoop and HBase daemon serves. Thread-safe. */
public final class DaemonPages {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** With the configuration on the class path. */
  private static final WebClient NODE = new WebClient(SiteFiles::ofClassPath);

  /** Four times as long as HBase sleeps before it starts its metrics again. */
  private static final long METRICS_GONE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long METRICS_LOOK_MILLIS = 100;

  private final String base;
  private final WebClient client;

  /**
   * The pages at an address, read with the configuration on the class path.
   *
   * @param address {@code host:port} or a URL without a path
   * @throws IllegalArgumentException if it is neither
   */
  public DaemonPages(String address) {
    this(address, NODE);
  }

  /** The same, read by a client. */
  public DaemonPages(String address, WebClient client) {
    this.client = client;
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
   * What a RegionServer says of itself, in one bean; an empty array of any other daemon.
   *
   * @throws IOException as above
   */
  public JsonNode regionServer() throws IOException {
    return hbase("name=RegionServer,sub=Server");
  }

  /**
   * Whether a RegionServer serves other tables than HBase's own; true if it does not say.
   *
   * @throws IOException as above
   */
  public boolean servesUsersTables() throws IOException {
    JsonNode tables = hbase("name=RegionServer,sub=Tables").path(0);
    boolean servesOwn = false;
    for (Iterator<String> names = tables.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (name.startsWith("Namespace_") && !name.startsWith("Namespace_hbase_table_")) {
        return true;
      }
      servesOwn |= name.startsWith("Namespace_hbase_table_");
    }
    return !servesOwn;
  }

  /**
   * A bean of HBase's metrics. All of these are gone for half a second, 5 s after a region was
   * opened or closed (HBase's JmxCacheBuster); the bean that controls the metrics stays.
   */
  private JsonNode hbase(String bean) throws IOException {
    long asked = System.nanoTime();
    while (true) {
      JsonNode beans = jmx("Hadoop:service=HBase," + bean);
      if (!beans.isEmpty()
          || System.nanoTime() - asked > METRICS_GONE_NANOS
          || !jmx("Hadoop:service=HBase,name=Master,sub=Server").isEmpty()
          || jmx("Hadoop:service=HBase,name=MetricsSystem,sub=Control").isEmpty()) {
        return beans;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(METRICS_LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while " + base + " renews its metrics");
      }
    }
  }

  /**
   * The configuration that the daemon runs with.
   *
   * @throws IOException as above
   */
  public Configuration conf() throws IOException {
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
    return client.get(URI.create(base + path));
  }

  @Override
  public String toString() {
    return base;
  }
}
