// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoRole;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.policy.KnownGroups;
import org.hadoopprio.policy.RequestKind;
import org.hadoopprio.policy.Requester;

/**
 * The sender of a read, as far as the DataNode can tell. Not thread-safe; used by one DataXceiver
 * thread.
 */
public final class DataNodeRequest implements Requester {

  private static final String LOCAL_PEER = "/127.0.0.1:0";

  /** Before the attempt's number in the name of a MapReduce task's DFSClient. */
  private static final String TASK_PREFIX = "DFSClient_attempt_";

  private final String clientName;
  private final Token<BlockTokenIdentifier> token;
  private final String peer;
  private boolean userKnown;
  private String user;
  private Collection<String> groups;

  private boolean observed;
  private boolean withoutGroups;
  private boolean lookedUp;
  private RequestKind kind;
  private String namedTenant;
  private Tenant tenant = Tenant.DEFAULT;

  /**
   * Describes a request.
   *
   * @param clientName the name of the DFSClient; the client states it and can forge it
   * @param token the block token, if the DataNode verifies it before the read; null or empty
   *     otherwise, because its content could be forged
   * @param peer the address of the peer as DataXceiver prints it, {@code /host:port}
   */
  public DataNodeRequest(String clientName, Token<BlockTokenIdentifier> token, String peer) {
    this.clientName = clientName;
    this.token = token;
    this.peer = peer;
  }

  /**
   * A request of a process on this host.
   *
   * @param clientName the name of the DFSClient; the client states it and can forge it
   * @param user the user that the kernel knows the process by; null if unknown
   */
  public static DataNodeRequest local(String clientName, String user) {
    DataNodeRequest request = new DataNodeRequest(clientName, null, LOCAL_PEER);
    request.userKnown = true;
    request.user = user;
    return request;
  }

  /**
   * Whether a DataNode verifies the block tokens of a block's pool: then the pool is registered
   * with the secret manager. Ask before Hadoop checks a token: a pool that is registered only
   * meanwhile may come too late for that check.
   */
  public static boolean isTokenChecked(DataNode dataNode, ExtendedBlock block) {
    return dataNode.getBlockPoolTokenSecretManager().isBlockPoolRegistered(block.getBlockPoolId());
  }

  public String clientName() {
    return clientName;
  }

  /**
   * What the request is for.
   *
   * @param stated what it says itself; null if nothing
   * @param ofClient if it is an application's
   */
  IoRole role(IoRole stated, IoRole ofClient) {
    if (stated != null) {
      return stated;
    }
    if (clientName.isEmpty()) {
      return IoRole.UNKNOWN;
    }
    return clientName.startsWith(TASK_PREFIX) ? IoRole.MAPREDUCE_TASK : ofClient;
  }

  /**
   * The user of the block token, or of a local process; null if block tokens are off or the token
   * cannot be decoded.
   */
  @Override
  public String user() {
    if (!userKnown) {
      user = decodeUser();
      userKnown = true;
    }
    return user;
  }

  private String decodeUser() {
    if (token == null || token.getIdentifier().length == 0) {
      return null;
    }
    try {
      BlockTokenIdentifier id = token.decodeIdentifier();
      return id == null ? null : id.getUserId();
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** What is done for the request is stock, so nobody waits for the group mapping. */
  void setObserved() {
    observed = true;
  }

  /**
   * Whether a decision needed groups that are not known yet, for a request that is only observed;
   * then it means nothing.
   */
  boolean isUndecided() {
    return observed && withoutGroups;
  }

  /** Whether they are being looked up, and one that is not only observed would wait for them. */
  boolean isLookedUp() {
    return lookedUp;
  }

  /**
   * What it states about itself.
   *
   * @param does reads or writes
   * @param tenantName the tenant that it names as its own; null for none
   */
  void states(RequestKind does, String tenantName) {
    kind = does;
    namedTenant = tenantName;
  }

  @Override
  public RequestKind kind() {
    return kind;
  }

  /** The tenant that it names as its own; null for none. */
  String namedTenant() {
    return namedTenant;
  }

  /** It belongs to a tenant, as the policy says. */
  void setTenant(Tenant decided) {
    tenant = decided;
  }

  /** Whose use of the disk it counts for. */
  Tenant tenant() {
    return tenant;
  }

  @Override
  public boolean isWithoutGroups() {
    return withoutGroups;
  }

  @Override
  public Collection<String> groups() {
    if (groups == null) {
      String name = user();
      groups = name == null || name.isEmpty() ? List.of() : groupsOf(name);
    }
    return groups;
  }

  private Collection<String> groupsOf(String name) {
    // Hadoop caches the groups of a user and returns none for an unknown user.
    Supplier<Collection<String>> mapping =
        () -> Arrays.asList(UserGroupInformation.createRemoteUser(name).getGroupNames());
    KnownGroups known = KnownGroups.OF_PROCESS;
    Collection<String> names = observed ? known.of(name, mapping) : known.await(name, mapping);
    lookedUp = names == null;
    withoutGroups = lookedUp || names.isEmpty();
    return withoutGroups ? List.of() : names;
  }

  /** Always null: HDFS has no tables. */
  @Override
  public String table() {
    return null;
  }

  /** The IP address of the peer without port and brackets; null if unknown. */
  public String address() {
    if (peer == null) {
      return null;
    }
    int colon = peer.lastIndexOf(':');
    String host = colon < 0 ? peer : peer.substring(0, colon);
    String address = host.substring(host.lastIndexOf('/') + 1);
    return address.startsWith("[") && address.endsWith("]")
        ? address.substring(1, address.length() - 1)
        : address;
  }
}
