// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.delegate.LockedReads;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.Reservation;

/**
 * Finds the priority of a call that waits for a handler, from its parameter message. The result
 * only selects a queue; the operation is resolved again, and reported, when it runs. Thread-safe,
 * never waits, and asks the policy no more than {@value #MAX_OPERATIONS} times about a call, and as
 * often about its places, because the network thread has other connections to serve.
 */
final class DispatchPriority {

  /**
   * A batch of more operations is urgent to nobody: its reads would have a disk for ten seconds,
   * and a real-time handler for as long.
   */
  private static final int MAX_OPERATIONS = 1000;

  /**
   * A DataNode holds a read for as long as its target allows, and the call's handler waits with it.
   * Who can wait for a second can wait for a general handler; the real-time ones are few.
   */
  private static final int LONGEST_TARGET_MILLIS = 1000;

  private static final ByteString IDLE = ByteString.copyFrom(IoPriority.IDLE.toBytes());

  private final PriorityResolver resolver;

  DispatchPriority(PriorityResolver resolver) {
    this.resolver = resolver;
  }

  /**
   * The priority of the call as a whole; null if no source states one, if the policy's decision
   * needs the user's groups and they are not known yet.
   */
  IoPriority of(CallContents contents) {
    Message parameter = contents.call().getParam();
    if (parameter instanceof MultiRequest) {
      MultiRequest batch = (MultiRequest) parameter;
      IoPriority priority = ofBatch(contents, batch);
      return isLarge(batch) && isUrgent(priority) ? null : priority;
    }
    if (isFollowUp(parameter)) {
      ScanPriority opened = ScannerPriorities.of(((ScanRequest) parameter).getScannerId());
      return opened == null ? ofUnknownScan(contents) : opened.peek(contents);
    }
    return resolver.peek(
        CallParameters.attribute(parameter),
        contents.requester(RegionTables.of(CallParameters.region(parameter))));
  }

  /** Whether the real-time handlers are for an operation of that priority; null for none. */
  static boolean isUrgent(IoPriority priority) {
    return priority != null
        && priority.ioClass() == IoClass.REALTIME
        && priority.targetMillis() <= LONGEST_TARGET_MILLIS;
  }

  /** Whether the background handlers are for an operation of that priority; null for none. */
  static boolean isBackground(IoPriority priority) {
    return LockedReads.isBelowNormal(priority);
  }

  /**
   * Acquires the places of a real-time call in the policy's caps, or else those above its caps
   * would be served at be:0 by handlers that others need.
   *
   * @return null if a cap is reached
   */
  Reservation reserve(CallContents contents) {
    Reservation places = new Reservation();
    Message parameter = contents.call().getParam();
    if (parameter instanceof MultiRequest) {
      for (RegionAction region : ((MultiRequest) parameter).getRegionActionList()) {
        CallRequester requester =
            contents.requester(RegionTables.of(region.getRegion().getValue()));
        for (Action action : region.getActionList()) {
          add(places, resolver.decision(BatchPriorities.bytes(attribute(action)), requester));
        }
      }
    } else {
      add(places, decision(contents, parameter));
    }
    return places.tryAcquire() ? places : null;
  }

  /**
   * The places of a background call in the caps for idle; none is acquired. A batch needs those of
   * each kind of its operations.
   */
  Reservation waiting(CallContents contents) {
    Reservation places = new Reservation();
    Message parameter = contents.call().getParam();
    if (!resolver.capsIdle() || readsNothing(parameter)) {
      return places;
    }
    if (parameter instanceof MultiRequest) {
      addKinds(places, contents, (MultiRequest) parameter);
    } else {
      addIfWaits(places, decision(contents, parameter));
    }
    return places;
  }

  /**
   * Whether the call renews a scanner's lease or closes the scanner. One that waited could come too
   * late for the lease, or keep the scanner's files open (RSRpcServices.scan).
   */
  private static boolean readsNothing(Message parameter) {
    if (!(parameter instanceof ScanRequest)) {
      return false;
    }
    ScanRequest scan = (ScanRequest) parameter;
    return scan.hasScannerId()
        && (scan.getRenew() || (scan.getCloseScanner() && scan.getNumberOfRows() == 0));
  }

  private void addKinds(Reservation places, CallContents contents, MultiRequest batch) {
    Map<TablePriority, Set<ByteString>> kinds = new HashMap<>();
    int decisions = 0;
    for (RegionAction region : batch.getRegionActionList()) {
      TablePriority table = RegionTables.of(region.getRegion().getValue());
      CallRequester requester = contents.requester(table);
      Set<ByteString> known = kinds.computeIfAbsent(table, unknown -> new HashSet<>());
      for (Action action : region.getActionList()) {
        ByteString kind = attribute(action);
        if (decisions < MAX_OPERATIONS && known.add(kind == null ? ByteString.EMPTY : kind)) {
          decisions++;
          addIfWaits(places, resolver.decision(BatchPriorities.bytes(kind), requester));
        }
      }
      if (decisions == MAX_OPERATIONS && known.add(IDLE)) {
        // It is a background call for what was not looked at.
        addIfWaits(places, resolver.idle(requester));
      }
    }
  }

  private static void addIfWaits(Reservation places, Decision decision) {
    if (decision != null && decision.waits()) {
      places.add(decision);
    }
  }

  private static void add(Reservation places, Decision decision) {
    if (decision != null) {
      places.add(decision);
    }
  }

  private Decision decision(CallContents contents, Message parameter) {
    if (isFollowUp(parameter)) {
      ScanPriority opened = ScannerPriorities.of(((ScanRequest) parameter).getScannerId());
      return opened == null ? null : opened.decision(contents);
    }
    return resolver.decision(
        CallParameters.attribute(parameter),
        contents.requester(RegionTables.of(CallParameters.region(parameter))));
  }

  private static boolean isFollowUp(Message parameter) {
    return parameter instanceof ScanRequest && ((ScanRequest) parameter).hasScannerId();
  }

  /** The table and the sender of the scan are not known; less than normal may be asked for. */
  private IoPriority ofUnknownScan(CallContents contents) {
    PriorityResolver.Asked asked = resolver.asked(null, contents.requester(null));
    return asked != null && isBackground(asked.priority()) ? asked.priority() : null;
  }

  private static boolean isLarge(MultiRequest batch) {
    return batch.getRegionActionCount() > MAX_OPERATIONS
        || batch.getRegionActionList().stream().mapToInt(RegionAction::getActionCount).sum()
            > MAX_OPERATIONS;
  }

  /**
   * A batch is urgent only if all its actions are: one real-time Get must not take a thousand
   * others with it. It is a background call if one of its actions is, because its handler waits for
   * all of them. Otherwise the priority is that of the first action that is not urgent.
   */
  private IoPriority ofBatch(CallContents contents, MultiRequest batch) {
    BatchPriorities priorities = new BatchPriorities(resolver, contents, MAX_OPERATIONS);
    IoPriority lowest = null;
    IoPriority ordinary = null;
    boolean urgent = true;
    for (RegionAction region : batch.getRegionActionList()) {
      priorities.begin(RegionTables.of(region.getRegion().getValue()));
      for (Action action : region.getActionList()) {
        IoPriority priority = priorities.of(attribute(action));
        if (isBackground(priority)) {
          return priority;
        }
        if (!isUrgent(priority)) {
          ordinary = urgent ? priority : ordinary;
          urgent = false;
        } else {
          lowest = lowest == null || lowest.compareTo(priority) < 0 ? priority : lowest;
        }
      }
    }
    return urgent ? lowest : ordinary;
  }

  private static ByteString attribute(Action action) {
    return CallParameters.attributeText(
        action.hasGet()
            ? action.getGet().getAttributeList()
            : action.getMutation().getAttributeList());
  }
}
