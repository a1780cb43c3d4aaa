// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.loading.ByteArrayClassLoader;
import net.bytebuddy.pool.TypePool;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;

/** Classes of Hadoop with our hooks in them, beside those that the tests themselves use. */
public final class WovenClass {

  private WovenClass() {}

  /**
   * Loads a class with all hooks of a module that are for it.
   *
   * @param type its binary name
   */
  public static Class<?> of(String type, HookModule module)
      throws IOException, ClassNotFoundException {
    ClassLoader parent = WovenClass.class.getClassLoader();
    List<Hook> hooks =
        module.hooks().stream()
            .filter(hook -> hook.typeName().equals(type))
            .collect(Collectors.toList());
    ClassWeaver weaver =
        new ClassWeaver(TypePool.Default.of(ClassFileLocator.ForClassLoader.of(parent)));
    try (InputStream in = parent.getResourceAsStream(type.replace('.', '/') + ".class")) {
      byte[] woven = weaver.weave(type, in.readAllBytes(), hooks);
      return new ByteArrayClassLoader.ChildFirst(parent, Map.of(type, woven)).loadClass(type);
    }
  }
}
