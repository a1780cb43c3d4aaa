// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.disktime.TenantCounters;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a request goes through on its thread. */
class DiskRequestTest {

  private final Volume volume = SchedulerSettings.of(new Configuration(false)).unknown();
  private final ClassMetrics metrics = PriorityMetrics.roles(IoRole.BLOCK_SCANNER, IoClass.NONE);
  private final long bytes = metrics.bytes().sum();
  private final List<String> done = new ArrayList<>();

  private final class Request extends DiskRequest {

    private final boolean aroundReads;

    Request(boolean aroundReads) {
      super(Hint.NOTHING);
      this.aroundReads = aroundReads;
    }

    Request admitted() {
      admitted(volume, null, () -> done.add("places"), List.of(metrics));
      goToDisk(true);
      return this;
    }

    @Override
    protected boolean isAroundReads() {
      return aroundReads;
    }

    @Override
    protected void leaveDisk() {
      done.add("disk");
      super.leaveDisk();
    }
  }

  @AfterEach
  void nothingIsLeftOnTheThread() {
    while (DiskRequest.ofThread() != null) {
      DiskRequest.ofThread().end();
    }
  }

  @Test
  void itGivesAllBackOnceAndCounts() {
    Request request = new Request(false).admitted();
    request.begin();
    assertSame(request, DiskRequest.ofThread());
    request.moved(100);
    request.end();
    request.end();
    assertEquals(List.of("disk", "places"), done);
    assertEquals(bytes + 100, metrics.bytes().sum());
    assertNull(DiskRequest.ofThread());
    assertTrue(request.isDone());
  }

  private static void serve(Volume at, String priority, Tenant tenant, long millis)
      throws InterruptedException {
    DiskRequest request =
        new DiskRequest(Hint.NOTHING) {
          @Override
          public Tenant tenant() {
            return tenant;
          }
        };
    request.admitted(at, IoPriority.parse(priority), () -> {}, List.of());
    request.goToDisk(false);
    Thread.sleep(millis);
    request.end();
  }

  @Test
  void lateReadsCountForTheirTenantsAtTheirDisk() throws Exception {
    WorkingDirectory.requireBlockDevice();
    Configuration conf = new Configuration(false);
    // Whether or not this machine's disk rotates.
    conf.set(SchedulerKeys.STREAMS.name(), "1");
    Volume disk = Volume.of(Path.of("").toAbsolutePath().toUri(), SchedulerSettings.of(conf));
    Tenant etl = new Tenant("etl");
    serve(disk, "rt:0@1ms", etl, 5);
    serve(disk, "rt:0@60000ms", etl, 0);
    serve(disk, "rt:0", etl, 5);
    TenantCounters its = disk.disk().counters().tenants().get(etl);
    assertEquals(2, its.targeted());
    assertEquals(1, its.late());
  }

  @Test
  void whatIsGivenUpIsNotCounted() {
    Request request = new Request(false).admitted();
    request.moved(100);
    request.giveUp();
    assertEquals(List.of("disk", "places"), done);
    assertEquals(bytes, metrics.bytes().sum());
  }

  @Test
  void itIsAdmittedOnce() {
    Request request = new Request(false).admitted();
    assertThrows(IllegalStateException.class, request::admitted);
    assertEquals(List.of("places"), done, "of the second time");
    request.end();
    assertThrows(IllegalStateException.class, request::admitted);
    assertEquals(List.of("places", "disk", "places", "places"), done);
  }

  /** The next one begins where nobody has told that the one before has failed. */
  @Test
  void anotherOneEndsIt() {
    Request failed = new Request(false).admitted();
    failed.begin();
    Request next = new Request(false);
    next.begin();
    assertTrue(failed.isDone());
    assertSame(next, DiskRequest.ofThread());
  }

  /** As a transfer may be that the thread of the write does itself. */
  @Test
  void aReadIsAPartOfAWrite() {
    Request write = new Request(true);
    write.begin();
    DiskRequest read = DiskRequest.ofReader();
    assertSame(read, DiskRequest.ofReader());
    assertSame(write, read.around());
    read.end();
    assertSame(write, DiskRequest.ofThread());
    DiskRequest left = DiskRequest.ofReader();
    write.end();
    assertNull(DiskRequest.ofThread(), "nor what is left of reads");
    assertTrue(left.isDone());
  }

  @Test
  void aHeaderIsForOneOperation() {
    Hint hint = Hint.of(null, IoRole.WAL);
    DiskRequest.state(hint);
    assertSame(hint, DiskRequest.stated());
    assertSame(hint, DiskRequest.takeStated());
    assertSame(Hint.NOTHING, DiskRequest.takeStated());
  }
}
