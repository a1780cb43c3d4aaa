// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.io.Closeable;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;

/**
 * Says what the agent would weave in a process that does not run yet, from the class files that it
 * would have, such as those of the next version of Hadoop. It loads none of them. Not thread-safe.
 */
public final class HookFit implements Closeable {

  private final URLClassLoader files;
  private final HookCheck check;

  /**
   * Opens a class path.
   *
   * @param classPath jars, and directories of class files
   */
  public HookFit(List<URL> classPath) {
    files = new URLClassLoader(classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    check = HookCheck.of(files);
  }

  /**
   * What would become of modules.
   *
   * @param modules each after the one that it needs
   */
  public List<ModuleFit> modules(List<HookModule> modules) {
    List<ModuleFit> fits = new ArrayList<>();
    Set<String> off = new HashSet<>();
    for (HookModule module : modules) {
      ModuleFit fit = fit(module, off);
      fits.add(fit);
      if (fit.state() == ModuleFit.State.OFF) {
        off.add(fit.name());
      }
    }
    return fits;
  }

  private ModuleFit fit(HookModule module, Set<String> off) {
    String place = place(module);
    if (place.isEmpty()) {
      return new ModuleFit(module, ModuleFit.State.ABSENT, place, Map.of());
    }
    Map<String, String> misfits = new LinkedHashMap<>();
    if (!check.isPresent(module)) {
      misfits.put("module", "class " + module.presenceType() + " does not exist");
    }
    for (Hook hook : module.hooks()) {
      String mismatch = check.mismatch(hook);
      if (mismatch != null) {
        misfits.put(hook.name(), mismatch);
      }
    }
    boolean isOff = !misfits.isEmpty() || off.contains(module.needs());
    return new ModuleFit(
        module,
        isOff ? ModuleFit.State.OFF : ModuleFit.State.FITS,
        place,
        Collections.unmodifiableMap(misfits));
  }

  /**
   * Where the module's program is. The agent knows it by one class and starts with others: a
   * version that has only some of them still has the program.
   */
  private String place(HookModule module) {
    List<String> types = new ArrayList<>(module.startTypes());
    types.add(module.presenceType());
    for (String type : types) {
      String file = type.replace('.', '/') + ".class";
      URL found = files.getResource(file);
      if (found != null) {
        String path = found.getPath();
        String place = path.substring(0, path.length() - file.length() - 1);
        return place.substring(place.lastIndexOf('/') + 1).replace("!", "");
      }
    }
    return "";
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
