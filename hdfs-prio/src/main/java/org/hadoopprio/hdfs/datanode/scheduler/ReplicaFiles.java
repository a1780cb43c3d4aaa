// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileInputStream;
import java.io.IOException;

/** The DataNode's own access to the files of a block that a client reads itself. */
public interface ReplicaFiles {

  /**
   * Opens the block's data; the caller closes them.
   *
   * @throws IOException if there is no such file
   */
  FileInputStream data() throws IOException;

  /**
   * Opens the block's checksums; the caller closes them.
   *
   * @throws IOException if there is no such file
   */
  FileInputStream checksums() throws IOException;

  /** Whether the data that the client is about to read is in the page cache, as far as is known. */
  boolean isCached();

  /** The client has to wait. */
  void waits();
}
