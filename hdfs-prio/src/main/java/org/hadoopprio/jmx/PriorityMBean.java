// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.jmx;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import org.hadoopprio.IoClass;
import org.hadoopprio.linux.RefusedCalls;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.EngineStatus;
import org.hadoopprio.metrics.HookStatus;
import org.hadoopprio.metrics.PolicyStatus;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.metrics.PriorityMetricsSource;
import org.hadoopprio.metrics.VolumeStatus;
import org.hadoopprio.off.OffSwitch;
import org.slf4j.LoggerFactory;

/** The MXBean with {@link PriorityMetrics} and the state of the hooks. Thread-safe. */
public final class PriorityMBean implements PriorityMXBean {

  /** The object name of the MXBean. */
  public static final String OBJECT_NAME = "org.hadoopprio:type=IoPriority";

  private final String version;
  private final HookStatus hooks;

  private PriorityMBean(String version, HookStatus hooks) {
    this.version = version;
    this.hooks = hooks;
  }

  /** Registers the MXBean; a failure is only logged. */
  public static void register(String version, HookStatus hooks) {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new PriorityMBean(version, hooks), new ObjectName(OBJECT_NAME));
      PriorityMetricsSource.setAgent(version, hooks);
    } catch (JMException e) {
      LoggerFactory.getLogger(PriorityMBean.class)
          .warn("Cannot register {} with JMX: {}", OBJECT_NAME, e.toString());
    }
  }

  @Override
  public String getVersion() {
    return version;
  }

  @Override
  public int getHooksApplied() {
    return hooks.applied();
  }

  @Override
  public int getHooksTotal() {
    return hooks.total();
  }

  @Override
  public String[] getHooks() {
    return hooks.states().toArray(new String[0]);
  }

  @Override
  public String getOff() {
    return OffSwitch.reason();
  }

  @Override
  public boolean isObserving() {
    return OffSwitch.isObserving();
  }

  @Override
  public String getThreadPriorityUnavailable() {
    String reason = ThreadIoPriority.unavailableReason();
    return reason == null ? "" : reason;
  }

  @Override
  public String[] getRefusedCalls() {
    return RefusedCalls.all().toArray(new String[0]);
  }

  @Override
  public long getStamped() {
    return PriorityMetrics.STAMPED.sum();
  }

  @Override
  public long getGrantedRealtime() {
    return PriorityMetrics.granted(IoClass.REALTIME).sum();
  }

  @Override
  public long getGrantedBestEffort() {
    return PriorityMetrics.granted(IoClass.BEST_EFFORT).sum();
  }

  @Override
  public long getGrantedIdle() {
    return PriorityMetrics.granted(IoClass.IDLE).sum();
  }

  @Override
  public long getAsked() {
    return PriorityMetrics.ASKED.sum();
  }

  @Override
  public long getClamped() {
    return PriorityMetrics.CLAMPED.sum();
  }

  @Override
  public long getRejected() {
    return PriorityMetrics.REJECTED.sum();
  }

  @Override
  public long getCapped() {
    return PriorityMetrics.CAPPED.sum();
  }

  @Override
  public long getGroupsUnknown() {
    return PriorityMetrics.GROUPS_UNKNOWN.sum();
  }

  @Override
  public long getTenantsRefused() {
    return PriorityMetrics.TENANTS_REFUSED.sum();
  }

  @Override
  public long getRuled() {
    return PriorityMetrics.RULED.sum();
  }

  @Override
  public long getTargeted() {
    return PriorityMetrics.TARGETED.sum();
  }

  @Override
  public long getLate() {
    return PriorityMetrics.LATE.sum();
  }

  @Override
  public long getRefused() {
    return PriorityMetrics.REFUSED.sum();
  }

  @Override
  public long getElsewhere() {
    return PriorityMetrics.ELSEWHERE.sum();
  }

  @Override
  public long getMalformed() {
    return PriorityMetrics.MALFORMED.sum();
  }

  @Override
  public long getDenied() {
    return PriorityMetrics.DENIED.sum();
  }

  @Override
  public long getFailed() {
    return PriorityMetrics.FAILED.sum();
  }

  @Override
  public long getReopened() {
    return PriorityMetrics.REOPENED.sum();
  }

  @Override
  public long getRealtimePaced() {
    return PriorityMetrics.REALTIME_PACED.sum();
  }

  @Override
  public long getRealtimePacedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(PriorityMetrics.REALTIME_PACED_NANOS.sum());
  }

  @Override
  public long getLocalReads() {
    return PriorityMetrics.LOCAL_READS.sum();
  }

  @Override
  public long getLocalUnasked() {
    return PriorityMetrics.LOCAL_UNASKED.sum();
  }

  @Override
  public long getLocalRefused() {
    return PriorityMetrics.LOCAL_REFUSED.sum();
  }

  @Override
  public long getLocalLost() {
    return PriorityMetrics.LOCAL_LOST.sum();
  }

  @Override
  public String getLocalSocket() {
    return PriorityMetrics.localSocket();
  }

  @Override
  public EngineStatus[] getEngines() {
    return PriorityMetrics.engines().toArray(new EngineStatus[0]);
  }

  @Override
  public VolumeStatus[] getVolumes() {
    return PriorityMetrics.volumes().toArray(new VolumeStatus[0]);
  }

  @Override
  public int getRegions() {
    return PriorityMetrics.regions();
  }

  @Override
  public PolicyStatus[] getPolicies() {
    return PriorityMetrics.policies().toArray(new PolicyStatus[0]);
  }

  @Override
  public Double getRealtimeShare() {
    return PriorityMetrics.realtimeShare();
  }
}
