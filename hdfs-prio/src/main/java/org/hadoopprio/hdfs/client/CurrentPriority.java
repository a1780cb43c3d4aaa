// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the priority of the calling thread's current work in an HDFS client. Thread-safe.
 *
 * <p>The first of these sources that states a priority applies: the {@link PriorityScope}; the
 * context of the work (a {@link PriorityProvider}); {@code dfs.client.io.priority} of the
 * DFSClient; the environment variable {@value #ENVIRONMENT_VARIABLE}.
 */
public final class CurrentPriority {

  /** The name of the environment variable that holds a priority in text form. */
  public static final String ENVIRONMENT_VARIABLE = "HADOOP_IO_PRIORITY";

  private static final Logger LOG = LoggerFactory.getLogger(CurrentPriority.class);
  private static final IoPriority FROM_ENVIRONMENT =
      readEnvironment(System.getenv(ENVIRONMENT_VARIABLE));

  private static volatile PriorityProvider provider;

  private CurrentPriority() {}

  /** Installs the process's provider; null removes it. */
  public static void setProvider(PriorityProvider newProvider) {
    provider = newProvider;
  }

  /** The priority in force, or null if no source states one. */
  public static IoPriority get() {
    IoPriority p = ofWork();
    if (p == null) {
      p = ClientContext.ofThread().clientDefault;
    }
    return p != null ? p : FROM_ENVIRONMENT;
  }

  /**
   * The priority of the calling thread's scope or provider. Only this must be carried to another
   * thread; the weaker sources are available there too.
   */
  static IoPriority ofWork() {
    IoPriority p = PriorityScope.current();
    PriorityProvider pulled = provider;
    return p != null || pulled == null ? p : pulled.current();
  }

  /**
   * The calling thread is about to read with a latency target.
   *
   * @return how many reads are expected to follow for the same work; 0 if that is not known
   */
  static int readBegins() {
    if (PriorityScope.current() != null) {
      return PriorityScope.readBegins();
    }
    PriorityProvider pulled = provider;
    return pulled == null ? 0 : pulled.readBegins();
  }

  /** The priority of the environment variable, or null if it is not set or malformed. */
  public static IoPriority fromEnvironment() {
    return FROM_ENVIRONMENT;
  }

  /**
   * Binds a DFSClient's default to this thread for one call into that client.
   *
   * @return the default that was bound before, to be passed to {@link #leaveClient}
   */
  static IoPriority enterClient(IoPriority clientDefault) {
    ClientContext context = ClientContext.ofThread();
    IoPriority before = context.clientDefault;
    context.clientDefault = clientDefault;
    return before;
  }

  /** Restores the default that was bound before {@link #enterClient}. */
  static void leaveClient(IoPriority before) {
    ClientContext.ofThread().clientDefault = before;
  }

  static IoPriority readEnvironment(String value) {
    if (value == null) {
      return null;
    }
    try {
      return IoPriority.parse(value);
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "Environment variable {} is ignored, reads keep the normal priority: {}",
          ENVIRONMENT_VARIABLE,
          e.getMessage());
      return null;
    }
  }
}
