// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.pool.TypePool;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;

/**
 * Compares hooks with the classes on the class path. It reads the class files and loads no class.
 * Thread-safe.
 */
final class HookCheck {

  private final TypePool classPath;

  /** By the names of the advice. */
  private final Map<String, AdviceNeeds> needs = new ConcurrentHashMap<>();

  /** Of a type that another one only names, no class file is read: it may not even be there. */
  HookCheck(ClassFileLocator files) {
    classPath =
        new TypePool.Default.WithLazyResolution(
            new TypePool.CacheProvider.Simple.UsingSoftReference(),
            files,
            TypePool.Default.ReaderMode.FAST);
  }

  static HookCheck ofClassPath() {
    return of(ClassLoader.getSystemClassLoader());
  }

  static HookCheck of(ClassLoader files) {
    return new HookCheck(ClassFileLocator.ForClassLoader.of(files));
  }

  /** What has been read of the class files on the class path. */
  TypePool classPath() {
    return classPath;
  }

  boolean isPresent(HookModule module) {
    return classPath.describe(module.presenceType()).isResolved();
  }

  /** Selects the methods that are hooked among those that the hook's class declares. */
  ElementMatcher<MethodDescription> methods(Hook hook) {
    return new ElementMatcher.Junction.Conjunction<>(hook.methods(), needs(hook));
  }

  private AdviceNeeds needs(Hook hook) {
    AdviceNeeds known = needs.get(hook.advice());
    if (known == null) {
      known = new AdviceNeeds(hook.advice(), classPath);
      needs.put(hook.advice(), known);
    }
    return known;
  }

  /** The reason why a hook does not fit, or null if it fits. */
  String mismatch(Hook hook) {
    try {
      return compare(hook);
    } catch (TypePool.Resolution.NoSuchTypeException e) {
      // A type that the hook's class or the advice names, such as a parameter's.
      return "class " + e.getName() + " does not exist";
    } catch (LinkageError | UncheckedIOException e) {
      // The agent's jar is damaged, or was replaced under a running process.
      return "its advice cannot be read: " + e;
    }
  }

  private String compare(Hook hook) {
    TypePool.Resolution found = classPath.describe(hook.typeName());
    if (!found.isResolved()) {
      return "class " + hook.typeName() + " does not exist";
    }
    TypeDescription type = found.resolve();
    ElementMatcher<MethodDescription> wanted = methods(hook);
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
    return needs(hook).missing(type);
  }
}
