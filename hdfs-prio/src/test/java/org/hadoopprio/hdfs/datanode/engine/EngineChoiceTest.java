// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.config.VolumeChoice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineChoiceTest {

  @Test
  void theDefaultIsStockHdfs() {
    VolumeChoice<Engine> choice = EngineKeys.ENGINE.get(new Configuration(false));
    assertTrue(choice.isOnly(Engine.THREAD));
    assertEquals(Engine.THREAD, choice.of(Path.of("/data/1")));
  }

  @Test
  void oneEngineForAll() {
    VolumeChoice<Engine> choice = EngineKeys.ENGINE.parse("auto");
    assertFalse(choice.isOnly(Engine.THREAD));
    assertEquals(Engine.AUTO, choice.of(Path.of("/data/1")));
  }

  @Test
  void someVolumesHaveTheirOwn() {
    VolumeChoice<Engine> choice = EngineKeys.ENGINE.parse("/data/1=NCQ, direct ,/data/a=b/=thread");
    assertEquals(Engine.NCQ, choice.of(Path.of("/data/x/../1")));
    assertEquals(Engine.THREAD, choice.of(Path.of("/data/a=b")));
    assertEquals(Engine.DIRECT, choice.of(Path.of("/data/2")));
  }

  @Test
  void volumesThatAreNotNamedStayStock() {
    VolumeChoice<Engine> choice = EngineKeys.ENGINE.parse("/data/1=direct");
    assertFalse(choice.isOnly(Engine.THREAD));
    assertEquals(Engine.THREAD, choice.of(Path.of("/data/2")));
    assertTrue(EngineKeys.ENGINE.parse("/data/1=thread").isOnly(Engine.THREAD));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fast",
        "direct,ncq",
        "data/1=ncq",
        "/data/1=",
        "/data/1=ncq,/data/1/=auto",
        ",",
        "="
      })
  void whatIsWrongIsNamed(String text) {
    Configuration conf = new Configuration(false);
    conf.set(EngineKeys.ENGINE.name(), text);
    String message =
        assertThrows(IllegalArgumentException.class, () -> EngineKeys.ENGINE.get(conf))
            .getMessage();
    assertTrue(message.contains("dfs.datanode.io.priority.engine = \"" + text + "\""), message);
    assertTrue(message.contains("allowed: auto, thread, direct"), message);
  }

  @Test
  void aSocketIsAnAbsolutePathThatFits() {
    assertEquals("/run/s", EngineKeys.parseSocket("/run/s"));
    assertThrows(IllegalArgumentException.class, () -> EngineKeys.parseSocket("s"));
    assertThrows(
        IllegalArgumentException.class, () -> EngineKeys.parseSocket("/" + "x".repeat(107)));
  }
}
