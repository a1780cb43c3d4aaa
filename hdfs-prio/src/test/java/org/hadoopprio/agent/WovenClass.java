// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.bytebuddy.dynamic.loading.ByteArrayClassLoader;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.off.AgentModule;

/** Classes of Hadoop with our hooks in them, beside those that the tests themselves use. */
public final class WovenClass {

  private WovenClass() {}

  /**
   * Loads a class with all hooks of a module that are for it.
   *
   * @param type its binary name
   */
  public static Class<?> of(String type, AgentModule module)
      throws IOException, ClassNotFoundException {
    ClassLoader parent = WovenClass.class.getClassLoader();
    ClassWeaver weaver = new ClassWeaver(HookCheck.of(parent));
    try (InputStream in = parent.getResourceAsStream(type.replace('.', '/') + ".class")) {
      byte[] woven = weaver.weave(type, in.readAllBytes(), hooks(type, module));
      return new ByteArrayClassLoader.ChildFirst(parent, Map.of(type, woven)).loadClass(type);
    }
  }

  /** The hooks of a module that are for a class. */
  public static List<Hook> hooks(String type, AgentModule module) {
    return HdfsModules.ALL.stream()
        .filter(each -> each.name().equals(module.toString()))
        .flatMap(each -> each.hooks().stream())
        .filter(hook -> hook.typeName().equals(type))
        .collect(Collectors.toList());
  }
}
