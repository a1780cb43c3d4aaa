package org.hadoopprio.hdfs.datanode;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.policy.Requester;

/**
 * Who sent a read to the DataNode, as far as the DataNode can tell. Used by the DataXceiver's
 * thread alone.
 */
public final class DataNodeRequest implements Requester {

  private final String clientName;
  private final Token<BlockTokenIdentifier> token;
  private final String peer;
  private boolean userKnown;
  private String user;
  private List<String> groups;

  /**
   * Describes a request.
   *
   * @param clientName the DFSClient's name; stated by the client, so forgeable
   * @param token the block token, which the DataNode checks before it reads; null or empty where it
   *     checks none, since anybody can write anything into it then
   * @param peer the peer's address as DataXceiver prints it, {@code /host:port}
   */
  public DataNodeRequest(String clientName, Token<BlockTokenIdentifier> token, String peer) {
    this.clientName = clientName;
    this.token = token;
    this.peer = peer;
  }

  public String clientName() {
    return clientName;
  }

  /** The user of the block token; null where block tokens are off or the token cannot be read. */
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

  @Override
  public Collection<String> groups() {
    if (groups == null) {
      String name = user();
      // Hadoop caches the groups of a user, and answers with none where it finds none.
      groups =
          name == null || name.isEmpty()
              ? List.of()
              : Arrays.asList(UserGroupInformation.createRemoteUser(name).getGroupNames());
    }
    return groups;
  }

  /** Null: HDFS knows no tables. */
  @Override
  public String table() {
    return null;
  }

  /** The peer's IP address without port; null where it is not known. */
  public String address() {
    if (peer == null) {
      return null;
    }
    int colon = peer.lastIndexOf(':');
    String host = colon < 0 ? peer : peer.substring(0, colon);
    return host.substring(host.lastIndexOf('/') + 1);
  }
}
