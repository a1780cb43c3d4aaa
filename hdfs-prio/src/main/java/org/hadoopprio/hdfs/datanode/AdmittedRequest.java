// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.hdfs.datanode.scheduler.DiskRequest;
import org.hadoopprio.hdfs.datanode.scheduler.Volume;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.log.HopTrace;
import org.hadoopprio.log.Printable;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.policy.RequestKind;

/**
 * A request that the DataNode's policy decides about: whatever it is, {@link #admit} is where that
 * happens. Not thread-safe; used by its thread only.
 */
public class AdmittedRequest extends DiskRequest {

  /** What a request is. */
  public enum Kind {
    READ("datanode", IoRole.CLIENT_READ),
    /** Checksums are little, and nothing tells when they are read: they pass no queue. */
    CHECKSUM("datanode", IoRole.CLIENT_READ),
    /** Its thread connects to the other DataNode first, and it takes turns from a packet on. */
    TRANSFER("datanode", IoRole.CLIENT_READ),
    WRITE("datanode-write", IoRole.CLIENT_WRITE),
    /** A piece of a short-circuit read. */
    LOCAL("datanode-local", IoRole.CLIENT_READ),
    /** What the DataNode does of its own accord. */
    WORK("datanode", IoRole.UNKNOWN);

    private final String hop;
    private final IoRole ofClient;

    Kind(String hop, IoRole ofClient) {
      this.hop = hop;
      this.ofClient = ofClient;
    }

    /** Whether it would be held for others' latency targets, and they for its own. */
    private boolean hasTarget() {
      return this == READ || this == LOCAL;
    }

    /** What count a request: its role, and its class if a client has it done at a priority. */
    private List<ClassMetrics> metrics(IoRole role, IoPriority granted) {
      IoClass ioClass = granted == null ? IoClass.NONE : granted.ioClass();
      List<ClassMetrics> all = new ArrayList<>(2);
      if (granted != null && this != WORK) {
        all.add(this == WRITE ? PriorityMetrics.writes(ioClass) : PriorityMetrics.reads(ioClass));
      }
      // Of a short-circuit read each piece is a request, and its client has the bytes.
      if (this != LOCAL) {
        all.add(PriorityMetrics.roles(role, ioClass));
      }
      return all;
    }
  }

  private final Kind kind;

  /** Null for the DataNode's own work, and before the client has shown that it may do this. */
  private DataNodeRequest sender;

  private IoRole role = IoRole.UNKNOWN;

  protected AdmittedRequest(Kind kind, Hint hint) {
    super(hint);
    this.kind = kind;
  }

  final Kind kind() {
    return kind;
  }

  /** It is a client's, who may do this. */
  public final void setSender(DataNodeRequest client) {
    sender = client;
  }

  final DataNodeRequest sender() {
    return sender;
  }

  /** It is the DataNode's own work. */
  final void setRole(IoRole own) {
    role = own;
  }

  /**
   * Decides about it, and counts it; if it is not stock, gives the calling thread its priority,
   * unless its client reads itself.
   *
   * @param mode in which the volume is; nothing is decided in mode off, which ends the request
   * @return whether it is to be done as it is granted; else it is stock
   */
  public final boolean admit(DataNodePolicy policy, Volume volume, VolumeMode mode) {
    if (mode == VolumeMode.OFF) {
      end();
      return false;
    }
    // First of all, so that whatever fails from here on gives the place back.
    if (sender == null) {
      count(volume, policy.priorityOf(role), () -> {});
    } else {
      role = sender.role(hint().role(), kind.ofClient);
      sender.states(kind == Kind.WRITE ? RequestKind.WRITE : RequestKind.READ, hint().tenant());
      if (mode.isStock()) {
        sender.setObserved();
      }
      boolean targeted = kind.hasTarget() && volume.heedsTargets(mode);
      Admission admission = policy.admit(hint().priority(), sender, targeted);
      if (admission == null) {
        count(volume, null, () -> {});
      } else {
        count(volume, admission.priority(), admission::release);
      }
      trace();
    }
    if (mode.isStock()) {
      observed(observe(volume));
      return false;
    }
    goToDisk(kind != Kind.LOCAL);
    return true;
  }

  @Override
  public final Tenant tenant() {
    return sender == null ? Tenant.DEFAULT : sender.tenant();
  }

  @Override
  protected final IoRole role() {
    return role;
  }

  private void count(Volume volume, IoPriority granted, Runnable release) {
    admitted(volume, granted, release, kind.metrics(role, granted));
  }

  private void trace() {
    if (HopTrace.isOn()) {
      IoPriority asked = hint().priority();
      HopTrace.hop(
          kind.hop,
          priority(),
          "asked="
              + (asked == null ? "nothing" : asked)
              + " role="
              + role
              + " client="
              + Printable.of(sender.clientName()));
    }
  }

  /**
   * It is stock and only observed.
   *
   * @return to be run at its end
   */
  protected Runnable observe(Volume volume) {
    return () -> {};
  }
}
