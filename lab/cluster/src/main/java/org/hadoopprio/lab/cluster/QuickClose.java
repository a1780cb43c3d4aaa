// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.util.Map;

/**
 * Keys for clients that write many files. The NameNode hears from the DataNode of a file's last
 * block about when the client asks it to close the file; a client that is first asks again after
 * 400 ms, and every test that writes one would wait for that. With these keys it asks again sooner,
 * and gives up after about as long as it would without.
 */
final class QuickClose {

  static final Map<String, String> KEYS =
      Map.of(
          "dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "10",
          "dfs.client.block.write.locateFollowingBlock.max.delay.ms", "400",
          "dfs.client.block.write.locateFollowingBlock.retries", "35");

  private QuickClose() {}
}
