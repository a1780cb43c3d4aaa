// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.HashMap;
import java.util.Map;
import org.hadoopprio.doctor.trace.BlockTraceEvent;
import org.hadoopprio.doctor.trace.DeviceNumber;

/** Adds up the requests of some disks. Thread-safe. */
final class RequestTable {

  /** Requests and their bytes. */
  private static final class Sum {
    private long requests;
    private long bytes;
  }

  private final Map<DeviceNumber, Map<Owner.Request, Sum>> disks = new HashMap<>();

  /** Adds a request; other events are left out. */
  synchronized void add(BlockTraceEvent event) {
    if (event.isRead() || event.isWrite()) {
      Sum sum =
          disks
              .computeIfAbsent(event.device(), disk -> new HashMap<>())
              .computeIfAbsent(Owner.Request.of(event), request -> new Sum());
      sum.requests++;
      sum.bytes += event.bytes();
    }
  }

  /** What one disk has written for an owner so far, in bytes. */
  synchronized long written(DeviceNumber disk, Owner owner) {
    return disks.getOrDefault(disk, Map.of()).entrySet().stream()
        .filter(entry -> !entry.getKey().isRead() && Owner.of(entry.getKey()) == owner)
        .mapToLong(entry -> entry.getValue().bytes)
        .sum();
  }

  /** All sums, of each disk apart. */
  synchronized ArrayNode toJson() {
    ArrayNode rows = new ObjectMapper().createArrayNode();
    disks.forEach(
        (disk, sums) ->
            sums.forEach(
                (request, sum) ->
                    rows.addObject()
                        .put("disk", disk.toString())
                        .put("direction", request.isRead() ? "read" : "write")
                        .put("operation", request.operation())
                        .put("priority", request.priority())
                        .put("comm", request.comm())
                        .put("owner", Owner.of(request).name())
                        .put("requests", sum.requests)
                        .put("bytes", sum.bytes)));
    return rows;
  }
}
