// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares this module with the HBase that it runs in, like the agent its hooks with the classes of
 * a process.
 *
 * <p>HBase never calls a hook that another version declares differently, and a scanner or a
 * scheduler that lacks a method of another version fails when the method is called. So in an HBase
 * that does not fit, all of this module stays off: the RegionServer works like stock.
 */
public final class HBaseFit {

  /** This process. Apart, so that the comparison alone logs nothing. */
  private static final class Here {

    private static final Logger LOG = LoggerFactory.getLogger(HBaseFit.class);
    private static final boolean FITS = check();

    private static boolean check() {
      List<String> misfits = misfits();
      if (!misfits.isEmpty()) {
        LOG.error(
            "This version of hadoop-prio does not fit HBase {}: {}. Requests to this RegionServer"
                + " have no priority",
            VersionInfo.getVersion(),
            String.join("; ", misfits));
      }
      return misfits.isEmpty();
    }
  }

  private HBaseFit() {}

  /** Whether this module fits; the first call logs why if it does not. */
  static boolean fits() {
    return Here.FITS;
  }

  /**
   * What does not fit. The command {@code hprio hooks} calls it by its name, with this module's
   * classes beside those of an HBase that is to be installed.
   */
  public static List<String> misfits() {
    List<String> misfits = new ArrayList<>();
    try {
      misfits.addAll(
          unknownHooks(
              IoPriorityObserver.class,
              RegionObserver.class,
              RegionCoprocessor.class,
              Coprocessor.class));
      misfits.addAll(unimplemented(PriorityRegionScanner.class));
      misfits.addAll(unimplemented(IoPriorityRpcScheduler.class));
      RpcCall.class.getMethod("getRequestAttribute", String.class);
      RpcCall.class.getMethod("getConnectionAttributes");
    } catch (UnsupportedClassVersionError e) {
      misfits.add("it needs a later Java: " + e.getMessage());
    } catch (NoSuchMethodException | LinkageError e) {
      misfits.add("it lacks " + e.getMessage());
    }
    return misfits;
  }

  /** The public methods of an observer that no interface of HBase declares, so HBase calls none. */
  static List<String> unknownHooks(Class<?> observer, Class<?>... interfaces) {
    List<String> unknown = new ArrayList<>();
    for (Method hook : observer.getDeclaredMethods()) {
      boolean isHook = Modifier.isPublic(hook.getModifiers()) && !hook.isSynthetic();
      if (isHook && Arrays.stream(interfaces).noneMatch(type -> declares(type, hook))) {
        unknown.add("it never calls " + describe(hook));
      }
    }
    return unknown;
  }

  private static boolean declares(Class<?> type, Method hook) {
    try {
      type.getMethod(hook.getName(), hook.getParameterTypes());
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** The methods of HBase's types that a class of this module would have to implement. */
  static List<String> unimplemented(Class<?> type) {
    List<String> missing = new ArrayList<>();
    for (Method method : type.getMethods()) {
      if (Modifier.isAbstract(method.getModifiers())) {
        missing.add("it needs " + describe(method));
      }
    }
    return missing;
  }

  private static String describe(Method method) {
    List<String> parameters = new ArrayList<>();
    for (Class<?> parameter : method.getParameterTypes()) {
      parameters.add(parameter.getSimpleName());
    }
    return method.getName() + "(" + String.join(", ", parameters) + ")";
  }
}
