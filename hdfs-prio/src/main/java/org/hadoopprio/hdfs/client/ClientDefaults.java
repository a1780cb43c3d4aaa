// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import org.hadoopprio.IoPriority;

/** What a DFSClient's configuration states for all that it reads and writes. Immutable. */
public final class ClientDefaults {

  /** Nothing. */
  static final ClientDefaults NONE = new ClientDefaults(null, null);

  /** Null if none is stated. */
  final IoPriority priority;

  /** The tenant's name; null if none is stated. */
  final String tenant;

  ClientDefaults(IoPriority priority, String tenant) {
    this.priority = priority;
    this.tenant = tenant;
  }
}
