// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.hdfs.config.DataNodeReconfiguration;
import org.hadoopprio.hdfs.datanode.UnstartedDataNode;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.SwitchedOff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebRequestsTest {

  private static final String PRIORITY = "dfs.client.io.priority";
  private static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";

  private final Configuration conf = new Configuration(false);

  WebRequestsTest() {
    conf.set(SHORT_CIRCUIT, "true");
    UnstartedDataNode.isOfProcess(conf);
  }

  @AfterEach
  void leaveNoDataNodeBehind() {
    UnstartedDataNode.isOfProcess(null);
  }

  private static HttpRequest request(String query, String header) {
    HttpRequest request =
        new DefaultHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.GET, "/webhdfs/v1/f?op=OPEN" + query);
    if (header != null) {
      request.headers().set("x-io-priority", header);
    }
    return request;
  }

  private Configuration served(HttpRequest request) {
    return served(request, conf);
  }

  private static Configuration served(HttpRequest request, Configuration conf) {
    WebRequests.begins(request);
    try {
      return WebRequests.clientConf(conf);
    } finally {
      WebRequests.ends();
    }
  }

  @Test
  void theClientOfARequestHasItsPriorityAndDoesNotReadByShortCircuit() {
    Configuration parameter = served(request("&io.priority=rt%3A3", "idle"));
    assertEquals("rt:3", parameter.get(PRIORITY), "the parameter takes precedence");
    assertEquals("false", parameter.get(SHORT_CIRCUIT));
    assertEquals("idle", served(request("", "idle")).get(PRIORITY));
    assertNull(conf.get(PRIORITY));
    assertEquals("true", conf.get(SHORT_CIRCUIT));
  }

  /** The DataNode's policy may limit its user all the same. */
  @Test
  void withoutAPriorityItDoesNotReadByShortCircuitEither() {
    served(request("", "idle"));
    Configuration own = served(request("", null));
    assertEquals("false", own.get(SHORT_CIRCUIT));
    assertNull(own.get(PRIORITY), "that of the request before");
  }

  @Test
  void whereNothingCouldPassThePolicyNothingChanges() {
    mode("off");
    assertSame(conf, served(request("", null)));
    mode("off, /data/1=order");
    assertEquals("false", served(request("", null)).get(SHORT_CIRCUIT));
    conf.set(SHORT_CIRCUIT, "false");
    assertSame(conf, served(request("", null)));
    conf.unset(SHORT_CIRCUIT);
    assertSame(conf, served(request("", null)));
  }

  @Test
  void aMalformedOneIsCountedAndNone() {
    long before = PriorityMetrics.MALFORMED.sum();
    for (HttpRequest request :
        new HttpRequest[] {
          request("&io.priority=turbo%0a", null),
          request("&io.priority=", "rt:0"),
          request("", "rt:9")
        }) {
      Configuration served = served(request);
      assertEquals("none", served.get(PRIORITY));
      assertEquals("false", served.get(SHORT_CIRCUIT));
    }
    assertEquals(before + 3, PriorityMetrics.MALFORMED.sum());
  }

  @Test
  void aDataNodeThatIsOffServesAsStockWhateverIsStated() {
    try (SwitchedOff off = SwitchedOff.all()) {
      assertSame(conf, served(request("&io.priority=rt%3A3", null)));
    }
    mode("off");
    assertSame(conf, served(request("&io.priority=rt%3A3", null)));
  }

  /** The web server makes the copy when it starts, and writes files with it. */
  @Test
  void aCopyOfTheConfigurationFollowsItsDataNode() {
    mode("observe");
    Configuration copy = new Configuration(conf);
    HttpRequest request = request("&io.priority=idle", null);
    assertSame(copy, served(request, copy));
    mode("turns");
    assertEquals("idle", served(request, copy).get(PRIORITY));
    mode("off");
    assertSame(copy, served(request, copy));
  }

  @Test
  void theGaugeGoesOnToShowTheShareInForce() {
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.realtime.share", "0.25");
    served(request("&io.priority=idle", null), new Configuration(conf));
    assertEquals(0.25, PriorityMetrics.realtimeShare());
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.realtime.share", null);
  }

  @Test
  void untilTheDataNodeHasStartedARequestIsStock() {
    UnstartedDataNode.isOfProcess(null);
    assertSame(conf, served(request("&io.priority=idle", null)));
  }

  private void mode(String mode) {
    assertEquals(
        mode.replace(" ", ""),
        DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", mode));
  }
}
