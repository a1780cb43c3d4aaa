// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import java.util.Map;
import java.util.function.Function;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.disktime.Tenant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines priority and tenant of the calling thread's current work in an HDFS client.
 * Thread-safe.
 *
 * <p>The first of these sources that states a priority applies: the {@link PriorityScope}; the
 * context of the work (a {@link PriorityProvider}); {@code dfs.client.io.priority} of the
 * DFSClient; the environment variable {@value #ENVIRONMENT_VARIABLE}. For the tenant it is the
 * same, with {@code dfs.client.io.tenant} and {@value #TENANT_VARIABLE}.
 */
public final class CurrentPriority {

  /** The name of the environment variable that holds a priority in text form. */
  public static final String ENVIRONMENT_VARIABLE = "HADOOP_IO_PRIORITY";

  /** The name of the environment variable that holds the name of a tenant. */
  public static final String TENANT_VARIABLE = "HADOOP_IO_TENANT";

  private static final Logger LOG = LoggerFactory.getLogger(CurrentPriority.class);
  private static final IoPriority FROM_ENVIRONMENT =
      readEnvironment(ENVIRONMENT_VARIABLE, System.getenv(), IoPriority::parse);
  private static final String TENANT_FROM_ENVIRONMENT =
      readEnvironment(TENANT_VARIABLE, System.getenv(), Tenant::requireName);

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
      p = ClientContext.ofThread().defaults.priority;
    }
    return p != null ? p : FROM_ENVIRONMENT;
  }

  /** The name of the tenant for which the thread works, or null if no source states one. */
  public static String tenant() {
    String name = tenantOfWork();
    if (name == null) {
      name = ClientContext.ofThread().defaults.tenant;
    }
    return name != null ? name : TENANT_FROM_ENVIRONMENT;
  }

  /** The tenant of the calling thread's scope or provider; see {@link #ofWork}. */
  static String tenantOfWork() {
    String name = PriorityScope.currentTenant();
    PriorityProvider pulled = provider;
    return name != null || pulled == null ? name : pulled.tenant();
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
   * Binds a DFSClient's defaults to this thread for one call into that client.
   *
   * @return those that were bound before, to be passed to {@link #leaveClient}
   */
  static ClientDefaults enterClient(ClientDefaults defaults) {
    ClientContext context = ClientContext.ofThread();
    ClientDefaults before = context.defaults;
    context.defaults = defaults;
    return before;
  }

  /** Restores the defaults that were bound before {@link #enterClient}. */
  static void leaveClient(ClientDefaults before) {
    ClientContext.ofThread().defaults = before;
  }

  static <T> T readEnvironment(
      String name, Map<String, String> environment, Function<String, T> parser) {
    String value = environment.get(name);
    if (value == null) {
      return null;
    }
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      LOG.warn("Environment variable {} = \"{}\" is ignored: {}", name, value, e.getMessage());
      return null;
    }
  }
}
