// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.io.Closeable;
import java.io.IOException;

/**
 * A resource that all threads of a process share: opened for the first user, closed after the last.
 *
 * <p>Thread-safe. While it is being opened, other users wait; if that fails, the next user tries
 * again.
 *
 * @param <T> the type of the resource
 */
final class SharedResource<T extends Closeable> {

  /** Opens the resource. */
  interface Opener<T> {
    T open() throws IOException;
  }

  private T resource;
  private int users;

  /** Returns the resource, opened if it has no user yet; end the use with {@link #release}. */
  synchronized T acquire(Opener<T> opener) throws IOException {
    if (resource == null) {
      resource = opener.open();
    }
    users++;
    return resource;
  }

  /** Ends one use; the end of the last one closes the resource. */
  synchronized void release() throws IOException {
    if (users == 0) {
      throw new IllegalStateException("released more often than acquired");
    }
    if (--users == 0) {
      T last = resource;
      resource = null;
      last.close();
    }
  }
}
