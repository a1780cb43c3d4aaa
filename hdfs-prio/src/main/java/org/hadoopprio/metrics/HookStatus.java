// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.List;

/** The hooks of the agent in this process. */
public interface HookStatus {

  /** The number of hooks in force. */
  int applied();

  /** The number of hooks of the modules whose classes this process uses. */
  int total();

  /** One line for each hook. */
  List<String> states();
}
