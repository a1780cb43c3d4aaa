// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;
import site.ycsb.Status;

class FailuresTest {

  @Test
  void aRefusalIsForbidden() {
    assertEquals(Status.FORBIDDEN, Failures.statusOf(new AccessDeniedException("no")));
  }

  @Test
  void aMissingTableOrFamilyIsABadRequest() {
    assertEquals(Status.BAD_REQUEST, Failures.statusOf(new TableNotFoundException("t")));
    assertEquals(Status.BAD_REQUEST, Failures.statusOf(new NoSuchColumnFamilyException("g")));
  }

  @Test
  void theCauseBehindRetriesCounts() {
    assertEquals(
        Status.FORBIDDEN,
        Failures.statusOf(new RetriesExhaustedException("tried", new AccessDeniedException("no"))));
    assertEquals(
        Status.SERVICE_UNAVAILABLE,
        Failures.statusOf(new IOException("outer", new ConnectException("refused"))));
  }

  @Test
  void exhaustedRetriesOfAnUnknownCauseAreUnavailable() {
    assertEquals(
        Status.SERVICE_UNAVAILABLE, Failures.statusOf(new RetriesExhaustedException("tried")));
  }

  @Test
  void aFailedBatchHasTheStatusOfItsFirstFailure() {
    assertEquals(
        Status.BAD_REQUEST,
        Failures.statusOf(
            new RetriesExhaustedWithDetailsException(
                List.of(new NoSuchColumnFamilyException("g")),
                List.of(new Put(new byte[] {1})),
                List.of("server:1"))));
  }

  @Test
  void anythingElseIsAnError() {
    assertEquals(Status.ERROR, Failures.statusOf(new IOException("odd")));
  }
}
