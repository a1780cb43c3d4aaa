// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import site.ycsb.BasicDB;
import site.ycsb.DB;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;

class PoissonWorkloadTest {

  private final Properties properties = new Properties();

  @BeforeEach
  void setProperties() {
    properties.setProperty("recordcount", "100");
    properties.setProperty("readproportion", "1");
    properties.setProperty("updateproportion", "0");
    properties.setProperty("arrivalrate", "200");
    properties.setProperty("basicdb.verbose", "false");
    properties.setProperty("measurementtype", "hdrhistogram");
    properties.setProperty("measurement.interval", "both");
    Measurements.setProperties(properties);
  }

  /** YCSB's database that does nothing. */
  private DB database() {
    BasicDB db = new BasicDB();
    db.setProperties(properties);
    db.init();
    return db;
  }

  private PoissonWorkload workload() throws WorkloadException {
    PoissonWorkload workload = new PoissonWorkload();
    workload.init(properties);
    return workload;
  }

  @Test
  void operationsComeAtTheRate() throws WorkloadException {
    PoissonWorkload workload = workload();
    DB db = database();
    Object arrivals = workload.initThread(properties, 0, 1);
    long start = System.nanoTime();
    int operations = 100;
    long intended = start;
    for (int i = 0; i < operations; i++) {
      assertTrue(workload.doTransaction(db, arrivals));
      long previous = intended;
      intended = Measurements.getMeasurements().getIntendedtartTimeNs();
      assertTrue(intended > previous && intended <= System.nanoTime(), "after its arrival");
    }
    // The arrivals and not their end, which a busy machine delays; with the seed they are the same.
    assertEquals(0.5, (intended - start) / 1e9, 0.1);
  }

  @Test
  void theIntendedStartOfALateOperationIsItsArrival() throws Exception {
    PoissonWorkload workload = workload();
    DB db = database();
    Object arrivals = workload.initThread(properties, 0, 1);
    long before = System.nanoTime();
    TimeUnit.MILLISECONDS.sleep(200);
    long woken = System.nanoTime();
    workload.doTransaction(db, arrivals);
    long intended = Measurements.getMeasurements().getIntendedtartTimeNs();
    assertTrue(intended < woken, "arrived while the thread slept");
    assertTrue(intended >= before - TimeUnit.SECONDS.toNanos(1), "and not long before");
    // No arrival is dropped: the second one is still to come, at its own time.
    workload.doTransaction(db, arrivals);
    assertTrue(Measurements.getMeasurements().getIntendedtartTimeNs() > intended);
  }

  @Test
  void threadsShareTheRate() throws WorkloadException {
    PoissonWorkload workload = workload();
    Arrivals arrivals = (Arrivals) workload.initThread(properties, 3, 100);
    long start = System.nanoTime();
    int count = 2_000;
    long last = 0;
    for (int i = 0; i < count; i++) {
      last = arrivals.nextNanos();
    }
    assertEquals(count / 2.0, (last - start) / 1e9, count / 20.0);
  }

  @Test
  void aThreadThatWaitsForAnArrivalEndsWithTheRun() throws WorkloadException {
    properties.setProperty("arrivalrate", "0.001");
    PoissonWorkload workload = workload();
    DB db = database();
    Object arrivals = workload.initThread(properties, 0, 1);
    workload.requestStop();
    assertEquals(false, workload.doTransaction(db, arrivals));
  }

  @Test
  void whatIsNotAllowedIsToldWithPropertyAndValue() {
    for (String value : new String[] {"", "fast", "0", "-1", "NaN", "Infinity"}) {
      properties.setProperty("arrivalrate", value);
      WorkloadException e = assertThrows(WorkloadException.class, this::workload);
      assertEquals(
          "property arrivalrate = \"" + value + "\" is not allowed; allowed: a number above 0",
          e.getMessage());
    }
    properties.setProperty("arrivalrate", "1");
    properties.setProperty("arrivalseed", "x");
    assertTrue(
        assertThrows(WorkloadException.class, this::workload).getMessage().contains("arrivalseed"));
  }
}
