package org.hadoopprio.policy;

import java.util.Arrays;
import org.hadoopprio.config.ConfigKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy in force in one server, read from the file that a key names. A file that cannot be
 * used is refused as a whole and the policy in force stays. Thread-safe.
 */
public final class PolicyFile {

  private static final Logger LOG = LoggerFactory.getLogger(PolicyFile.class);

  private final ConfigKey<AccessPolicy> key;
  private volatile AccessPolicy policy = AccessPolicy.NONE;

  /** Makes the policy of a server, with no rules until {@link #load}. */
  public PolicyFile(ConfigKey<AccessPolicy> key) {
    this.key = key;
  }

  /** The policy in force; never null. */
  public AccessPolicy policy() {
    return policy;
  }

  /**
   * Replaces the policy in force.
   *
   * @param file null or empty for none
   * @throws IllegalArgumentException naming the key, the file, the line and the reason; the old
   *     policy stays
   */
  public void load(String file) {
    AccessPolicy read = key.parse(file);
    policy = read == null ? AccessPolicy.NONE : read;
    LOG.info(
        "{} = \"{}\": {} rules are in force", key.name(), file == null ? "" : file, policy.size());
  }

  /** Limits every requester to normal until {@link #load} succeeds. */
  public void setUnusable() {
    policy = AccessPolicy.UNUSABLE;
  }

  /** Whether the content of the file differs from the policy in force or cannot be read. */
  public boolean isChanged(String file) {
    try {
      return !Arrays.equals(PolicyReader.content(file.strip()), policy.source());
    } catch (IllegalArgumentException e) {
      return true;
    }
  }
}
