// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcCallback;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.PriorityScope;

/**
 * A scanner that reads at the priority of its scan, whichever call and handler asks for the next
 * rows.
 */
final class PriorityRegionScanner extends PriorityScanner<RegionScanner>
    implements RegionScanner, RpcCallback {

  private final ScanPriority priority;

  PriorityRegionScanner(RegionScanner scanner, ScanPriority priority) {
    super(scanner, priority::inCall);
    this.priority = priority;
  }

  @Override
  public boolean nextRaw(List<Cell> result) throws IOException {
    learnId();
    try (PriorityScope scope = openScope()) {
      return scanner.nextRaw(result);
    }
  }

  @Override
  public boolean nextRaw(List<Cell> result, ScannerContext context) throws IOException {
    learnId();
    try (PriorityScope scope = openScope()) {
      return scanner.nextRaw(result, context);
    }
  }

  @Override
  public boolean reseek(byte[] row) throws IOException {
    try (PriorityScope scope = openScope()) {
      return scanner.reseek(row);
    }
  }

  /**
   * Only who has opened the scanner may use it. HBase's AccessController sees to that by the
   * scanner's identity: where it has run before, it knows the scanner that this one is around.
   *
   * @throws AccessDeniedException if somebody else calls
   */
  void requireOwner() throws AccessDeniedException {
    Optional<User> caller = RpcServer.getCurrentCall().flatMap(RpcCall::getRequestUser);
    if (caller.isPresent() && !priority.isOwner(caller.get())) {
      throw new AccessDeniedException(
          "user \"" + caller.get().getShortName() + "\" has not opened this scanner");
    }
  }

  /** Called by the RegionServer after it has sent the last response. */
  @Override
  public void run() throws IOException {
    close();
  }

  @Override
  public void close() throws IOException {
    priority.closed();
    super.close();
  }

  @Override
  public RegionInfo getRegionInfo() {
    return scanner.getRegionInfo();
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return scanner.isFilterDone();
  }

  @Override
  public long getMaxResultSize() {
    return scanner.getMaxResultSize();
  }

  @Override
  public long getMvccReadPoint() {
    return scanner.getMvccReadPoint();
  }

  @Override
  public int getBatch() {
    return scanner.getBatch();
  }

  @Override
  public String getOperationId() {
    return scanner.getOperationId();
  }

  /**
   * Learns the scanner's id from a call that names it, where no hook of the agent has told it: the
   * RegionServer assigns the id only after the last hook of the opening.
   */
  private void learnId() {
    Optional<RpcCall> call = RpcServer.getCurrentCall();
    Message parameter = call.isPresent() ? call.get().getParam() : null;
    if (parameter instanceof ScanRequest && ((ScanRequest) parameter).hasScannerId()) {
      priority.opened(((ScanRequest) parameter).getScannerId());
    }
  }
}
