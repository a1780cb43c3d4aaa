// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In Hadoop's own metrics system, and read as JMX has it. */
class RecordSourcesTest {

  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  @BeforeEach
  void start() {
    DefaultMetricsSystem.initialize("RecordSourcesTest");
  }

  @AfterEach
  void stop() {
    PriorityMetrics.setVolumes(List::of);
    DefaultMetricsSystem.shutdown();
  }

  private static VolumeStatus volume(String directory, int streams) {
    return new VolumeStatus(
        directory,
        "turns",
        "turns",
        "",
        "sda",
        directory,
        streams,
        0.7,
        QueueStatus.NONE,
        ObservedStatus.NONE);
  }

  private static Set<String> names() throws Exception {
    return BEANS
        .queryNames(
            new ObjectName("Hadoop:service=RecordSourcesTest,name=IoPriorityVolumes*"), null)
        .stream()
        .map(name -> name.getKeyProperty("name"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void awaitNames(String... names) {
    soon("these beans").untilAsserted(() -> assertEquals(Set.of(names), names()));
  }

  private static Object attribute(String name, String attribute) throws Exception {
    return BEANS.getAttribute(
        new ObjectName("Hadoop:service=RecordSourcesTest,name=" + name), attribute);
  }

  @Test
  void eachVolumeHasABeanWhoseAttributesHaveNoNumbersAndWhichGoesWithIt() throws Exception {
    PriorityMetrics.setVolumes(() -> List.of(volume("/data/2", 2)));
    RecordSources sources = new RecordSources("Volumes", PriorityMetricsSource::volumes);
    sources.changed();
    awaitNames("IoPriorityVolumes-/data/2");
    assertEquals(2, attribute("IoPriorityVolumes-/data/2", "Streams"));

    PriorityMetrics.setVolumes(
        () -> List.of(volume("/data/1", 1), volume("/data/2", 2), volume("/a=b,c", 3)));
    sources.changed();
    awaitNames(
        "IoPriorityVolumes-/data/1", "IoPriorityVolumes-/data/2", "IoPriorityVolumes-/a_b_c");
    assertEquals(1, attribute("IoPriorityVolumes-/data/1", "Streams"));
    assertEquals(2, attribute("IoPriorityVolumes-/data/2", "Streams"));
    assertEquals(3, attribute("IoPriorityVolumes-/a_b_c", "Streams"));
    assertEquals("/a=b,c", attribute("IoPriorityVolumes-/a_b_c", "tag.volume"));

    PriorityMetrics.setVolumes(() -> List.of(volume("/data/1", 1)));
    sources.changed();
    awaitNames("IoPriorityVolumes-/data/1");
  }
}
