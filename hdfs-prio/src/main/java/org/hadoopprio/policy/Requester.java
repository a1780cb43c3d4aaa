package org.hadoopprio.policy;

import java.util.Collection;

/**
 * Who asks, as far as the server has proof of it. Asked lazily: groups only where a rule names a
 * group. No method throws.
 */
public interface Requester {

  /** The authenticated user's short name; null where the server has no proof of one. */
  String user();

  /** The user's groups, as the server's own group mapping has them; empty without a user. */
  Collection<String> groups();

  /** The table asked for, as {@code namespace:name} or {@code name}; null where there is none. */
  String table();
}
