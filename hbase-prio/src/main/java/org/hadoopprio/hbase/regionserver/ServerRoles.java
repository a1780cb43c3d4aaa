// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.config.RemovedKeys;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hbase.delegate.RoleScopes;
import org.hadoopprio.hbase.delegate.RoleSource;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.Requester;
import org.hadoopprio.role.RolePriorities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the RegionServer does of its own accord. Thread-safe; one per process. */
final class ServerRoles implements RoleSource {

  private static final Logger LOG = LoggerFactory.getLogger(ServerRoles.class);

  private static volatile RolePriorities inForce;

  private ServerRoles() {}

  /**
   * Reads the priorities, and has the agent's hooks use them; later calls do nothing.
   *
   * @throws IllegalArgumentException on the first call, naming the key, the value and what is
   *     allowed
   */
  static synchronized void load(Configuration conf) {
    if (inForce == null) {
      RemovedKeys.warnOfProfile(conf, RemovedKeys.REGIONSERVER_PROFILE, LOG);
      inForce = HBaseKeys.ROLES.get(conf);
      RoleScopes.setSource(new ServerRoles());
    }
  }

  @Override
  public IoPriority priorityOf(IoRole role) {
    return inForce.of(role);
  }

  /**
   * That of the table, as the rules for everybody say, if it has no less than others: the threads
   * of compactions, and the memory that a flush makes free, are those of all tables.
   */
  @Override
  public String tenantOf(Object store) {
    AccessPolicy policy = ServerPolicy.current();
    if (!policy.hasTenants()) {
      return null;
    }
    String tenant;
    try {
      tenant = policy.tenant(new Anybody((HStore) store));
    } catch (RuntimeException | LinkageError e) {
      HintProblems.failed(e);
      return null;
    }
    return policy.raised(tenant);
  }

  /** One of whom nothing is known but what he works at. */
  private static final class Anybody implements Requester {
    private final HStore store;

    Anybody(HStore store) {
      this.store = store;
    }

    @Override
    public String user() {
      return null;
    }

    @Override
    public Collection<String> groups() {
      return List.of();
    }

    @Override
    public String table() {
      return store.getTableName().getNameAsString();
    }

    @Override
    public Collection<String> families() {
      return List.of(store.getColumnFamilyName());
    }
  }

  @Override
  public IoRole ofFlush(Object store) {
    return blocksWriters(() -> BlockedWriters.waitForFlush((HStore) store))
        ? IoRole.FLUSH_URGENT
        : IoRole.FLUSH;
  }

  @Override
  public IoRole ofCompaction(Object store, Object request) {
    if (blocksWriters(() -> BlockedWriters.waitForCompaction((HStore) store))) {
      return IoRole.COMPACTION_URGENT;
    }
    return ((CompactionRequest) request).isMajor()
        ? IoRole.COMPACTION_MAJOR
        : IoRole.COMPACTION_MINOR;
  }

  /** In an HBase where that cannot be asked, nothing is urgent. */
  private static boolean blocksWriters(BooleanSupplier asked) {
    try {
      return asked.getAsBoolean();
    } catch (RuntimeException | LinkageError e) {
      HintProblems.failed(e);
      return false;
    }
  }

  /** Reads them again; returns the error for the administrator, or null if there was none. */
  static synchronized DoNotRetryIOException reload(Configuration conf) {
    try {
      inForce = HBaseKeys.ROLES.get(conf);
      return null;
    } catch (IllegalArgumentException e) {
      String message = e.getMessage() + "; the previous priorities stay in force";
      LOG.error(message);
      return new DoNotRetryIOException(message, e);
    }
  }
}
