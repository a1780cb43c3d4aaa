package org.hadoopprio.hdfs.client;

import java.util.Objects;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers "what is the priority of what this thread is doing now?" for an HDFS client.
 *
 * <p>The first source that says something wins: the {@link PriorityScope}; the work's own context
 * (a {@link PriorityProvider}); {@code dfs.client.io.priority} of the DFSClient at work; the
 * environment variable {@value #ENVIRONMENT_VARIABLE}.
 */
public final class CurrentPriority {

  /** The environment variable, with a priority in text form. */
  public static final String ENVIRONMENT_VARIABLE = "HADOOP_IO_PRIORITY";

  private static final Logger LOG = LoggerFactory.getLogger(CurrentPriority.class);
  private static final IoPriority FROM_ENVIRONMENT =
      readEnvironment(System.getenv(ENVIRONMENT_VARIABLE));
  private static final ThreadLocal<IoPriority> CLIENT_DEFAULT = new ThreadLocal<>();

  private static volatile PriorityProvider provider;

  private CurrentPriority() {}

  /** Installs the process's provider; null removes it. */
  public static void setProvider(PriorityProvider newProvider) {
    provider = newProvider;
  }

  /** The priority in force, or null where no source states one. */
  public static IoPriority get() {
    IoPriority p = ofWork();
    if (p == null) {
      p = CLIENT_DEFAULT.get();
    }
    return p != null ? p : FROM_ENVIRONMENT;
  }

  /**
   * What the calling thread's own work states: its scope, or the provider. This is all that has to
   * be carried to another thread; the weaker sources are found there too.
   */
  static IoPriority ofWork() {
    IoPriority p = PriorityScope.current();
    PriorityProvider pulled = provider;
    return p != null || pulled == null ? p : pulled.current();
  }

  /** The environment's priority, or null where the variable is unset or malformed. */
  public static IoPriority fromEnvironment() {
    return FROM_ENVIRONMENT;
  }

  /**
   * Binds a DFSClient's default to this thread for the extent of one call into that client.
   *
   * @return what was bound before, to be given to {@link #leaveClient}
   */
  static IoPriority enterClient(IoPriority clientDefault) {
    IoPriority before = CLIENT_DEFAULT.get();
    if (!Objects.equals(before, clientDefault)) {
      bind(clientDefault);
    }
    return before;
  }

  /** Ends what {@link #enterClient} began. */
  static void leaveClient(IoPriority before) {
    if (!Objects.equals(CLIENT_DEFAULT.get(), before)) {
      bind(before);
    }
  }

  private static void bind(IoPriority clientDefault) {
    if (clientDefault == null) {
      CLIENT_DEFAULT.remove();
    } else {
      CLIENT_DEFAULT.set(clientDefault);
    }
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
