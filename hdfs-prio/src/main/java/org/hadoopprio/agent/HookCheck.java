// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.util.Map;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.field.FieldList;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;

/**
 * Compares hooks with the classes on the class path. It reads the class files and loads no class.
 */
final class HookCheck {

  private final TypePool classPath;

  HookCheck(TypePool classPath) {
    this.classPath = classPath;
  }

  static HookCheck ofClassPath() {
    return of(ClassLoader.getSystemClassLoader());
  }

  static HookCheck of(ClassLoader files) {
    return new HookCheck(
        new TypePool.Default(
            new TypePool.CacheProvider.Simple.UsingSoftReference(),
            ClassFileLocator.ForClassLoader.of(files),
            TypePool.Default.ReaderMode.FAST));
  }

  /** What has been read of the class files on the class path. */
  TypePool classPath() {
    return classPath;
  }

  boolean isPresent(HookModule module) {
    return classPath.describe(module.presenceType()).isResolved();
  }

  /** The reason why a hook does not fit, or null if it fits. */
  String mismatch(Hook hook) {
    try {
      return compare(hook);
    } catch (TypePool.Resolution.NoSuchTypeException e) {
      // A type that the hook's class names, such as a parameter's.
      return "class " + e.getName() + " does not exist";
    }
  }

  private String compare(Hook hook) {
    TypePool.Resolution found = classPath.describe(hook.typeName());
    if (!found.isResolved()) {
      return "class " + hook.typeName() + " does not exist";
    }
    TypeDescription type = found.resolve();
    ElementMatcher<? super MethodDescription> wanted;
    try {
      wanted = hook.methods();
    } catch (NoClassDefFoundError e) {
      // A type of a parameter, by which the method is told from others.
      return "class " + e.getMessage().replace('/', '.') + " does not exist";
    }
    int methods = type.getDeclaredMethods().filter(wanted).size();
    if (methods != hook.methodCount()) {
      return hook.typeName()
          + " has "
          + methods
          + " methods that match "
          + wanted
          + ", expected "
          + hook.methodCount();
    }
    for (Map.Entry<String, String> field : hook.fields().entrySet()) {
      FieldList<? extends FieldDescription> fields = fields(type, field.getKey());
      if (fields.isEmpty() || !fields.getOnly().getType().getTypeName().equals(field.getValue())) {
        return hook.typeName() + " has no field " + field.getValue() + " " + field.getKey();
      }
    }
    return null;
  }

  /** The field of that name that the class declares, or else inherits. */
  private static FieldList<? extends FieldDescription> fields(TypeDescription type, String name) {
    FieldList<? extends FieldDescription> found =
        type.getDeclaredFields().filter(ElementMatchers.named(name));
    TypeDescription.Generic parent = type.getSuperClass();
    return found.isEmpty() && parent != null ? fields(parent.asErasure(), name) : found;
  }
}
