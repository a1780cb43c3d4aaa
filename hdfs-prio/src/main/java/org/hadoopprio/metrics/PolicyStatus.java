// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.List;

/** The policy in force in a server. Immutable. */
public final class PolicyStatus {

  private final String key;
  private final String file;
  private final String version;
  private final String hash;
  private final boolean usable;
  private final String mode;
  private final List<String> caps;
  private final List<String> rules;

  /** Makes a status; the getters describe the values. */
  public PolicyStatus(
      String key,
      String file,
      String version,
      String hash,
      boolean usable,
      String mode,
      List<String> caps,
      List<String> rules) {
    this.key = key;
    this.file = file;
    this.version = version;
    this.hash = hash;
    this.usable = usable;
    this.mode = mode;
    this.caps = List.copyOf(caps);
    this.rules = List.copyOf(rules);
  }

  /** The key that names the file. */
  public String getKey() {
    return key;
  }

  /** The file; empty if there is none. */
  public String getFile() {
    return file;
  }

  /** The version that the file states; "none" if it states none. */
  public String getVersion() {
    return version;
  }

  /** The first 12 digits of the file's SHA-256 when it was read; "none" without a policy. */
  public String getHash() {
    return hash;
  }

  /** False if the file could not be used at the server's start; nobody is granted more then. */
  public boolean isUsable() {
    return usable;
  }

  /** What happens to requests for more than is allowed: ignore, log or reject. */
  public String getMode() {
    return mode;
  }

  /** The caps that count the requests of all users. */
  public String[] getCaps() {
    return caps.toArray(new String[0]);
  }

  /** The rules, in the order in which they decide. */
  public String[] getRules() {
    return rules.toArray(new String[0]);
  }
}
