// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.hooks;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** Compares hbase-prio.jar with an HBase, as it does itself in a RegionServer. */
final class CoprocessorFit {

  /** The comparison, which is in hbase-prio; the doctor knows it by its name only. */
  private static final String COMPARISON = "org.hadoopprio.hbase.regionserver.HBaseFit";

  /** A class of each part that hbase-prio.jar refers to. */
  private static final List<String> OWN =
      List.of(
          COMPARISON,
          "org.hadoopprio.IoPriority",
          "org.hadoopprio.agent.HookFit",
          "org.hadoopprio.hbase.agent.HBaseModules",
          "org.hadoopprio.hbase.client.IoPriorities");

  private CoprocessorFit() {}

  /** Whether hbase-prio.jar is on the class path of this process. */
  static boolean isKnown() {
    return find(COMPARISON) != null;
  }

  /**
   * What does not fit; empty if all does. It loads classes of that HBase, apart from those of this
   * process, and runs none of them.
   *
   * @param hbase the class path of the RegionServer
   */
  static List<String> misfits(List<URL> hbase) throws IOException {
    List<URL> all = new ArrayList<>();
    for (String type : OWN) {
      all.add(place(type));
    }
    // After this project's own: an older hbase-prio.jar may be among them.
    all.addAll(hbase);
    try (URLClassLoader loader =
        new URLClassLoader(all.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      List<String> misfits = new ArrayList<>();
      Object answer = loader.loadClass(COMPARISON).getMethod("misfits").invoke(null);
      ((List<?>) answer).forEach(misfit -> misfits.add(misfit.toString()));
      return misfits;
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static URL find(String type) {
    return CoprocessorFit.class.getClassLoader().getResource(file(type));
  }

  private static String file(String type) {
    return type.replace('.', '/') + ".class";
  }

  /** The jar or the directory of one of this project's own classes. */
  private static URL place(String type) throws MalformedURLException {
    String found = find(type).toString();
    String place = found.substring(0, found.length() - file(type).length());
    return new URL(
        place.endsWith("!/") ? place.substring("jar:".length(), place.length() - 2) : place);
  }
}
