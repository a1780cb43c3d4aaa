package org.hadoopprio.ycsb;

import java.io.Closeable;
import java.io.IOException;

/**
 * Something that all threads of a process use together: opened for the first user, closed after the
 * last.
 *
 * <p>Thread-safe. Users that come while it is being opened wait; when opening fails, the next user
 * tries again.
 *
 * @param <T> what is shared
 */
final class SharedResource<T extends Closeable> {

  /** Opens the resource. */
  interface Opener<T> {
    T open() throws IOException;
  }

  private T resource;
  private int users;

  /** The resource, opened if nobody uses it yet; give it back with {@link #release}. */
  synchronized T acquire(Opener<T> opener) throws IOException {
    if (resource == null) {
      resource = opener.open();
    }
    users++;
    return resource;
  }

  /** Ends one use; the last one closes the resource. */
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
