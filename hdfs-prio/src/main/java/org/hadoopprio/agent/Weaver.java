// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.metrics.HookStatus;
import org.hadoopprio.off.FlagFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a module when the process is about to load the first of its classes, weaves the modules
 * that fit, and keeps the state of every hook. Classes that another daemon or client in the process
 * has loaded before are woven where they are. Either all hooks of a module are woven or none. A
 * second Hadoop in another class loader is left alone ({@link ApplicationLoaders}). Thread-safe.
 *
 * <p>A class path names the classes of daemons in every client, too, and comparing and weaving
 * their hooks takes longer than many a task does anything else. So a module costs nothing in a
 * process that does not use it, and nothing but names of classes is looked at before that: this
 * class refers to Byte Buddy by {@link HookCheck} and {@link ClassWeaver} only, which are made with
 * the first module, and has no lambdas on the way of a client, which cost as much as a class.
 */
final class Weaver implements ClassFileTransformer, HookStatus {

  /** How long the loading of a class waits for those that are woven where they are. */
  private static final long LATE_MILLIS = 10_000;

  private final String version;
  private final Supplier<HookCheck> checks;
  private final LoadedClasses loaded;
  private final ApplicationLoaders loaders = new ApplicationLoaders();
  private final List<HookModule> modules;

  /** The modules by the internal names of the classes that start them. */
  private final Map<String, List<HookModule>> startedBy = new HashMap<>();

  /** The hooks of the modules that are on, by the internal names of their classes. */
  private final Map<String, List<HookState>> hooked = new ConcurrentHashMap<>();

  // Guarded by this.
  private final Set<HookModule> started = new HashSet<>();
  private final Map<HookModule, List<HookState>> states = new LinkedHashMap<>();
  private final Map<String, HookModule> off = new LinkedHashMap<>();
  private HookCheck check;
  private ClassWeaver classWeaver;

  /**
   * Describes what may be woven; nothing is, until {@link #transform} is told of a class or {@link
   * #startAll} is called.
   *
   * @param version of the agent, for the log
   * @param checks makes the check of hooks; called once at most
   */
  Weaver(
      String version, Supplier<HookCheck> checks, LoadedClasses loaded, List<HookModule> modules) {
    this.version = version;
    this.checks = checks;
    this.loaded = loaded;
    this.modules = modules;
    for (HookModule module : modules) {
      for (String type : module.startTypes()) {
        String name = internalName(type);
        List<HookModule> sharing = startedBy.getOrDefault(name, List.of());
        startedBy.put(name, joined(sharing, module));
      }
    }
  }

  private static String internalName(String type) {
    return type.replace('.', '/');
  }

  private static <T> List<T> joined(List<T> some, T more) {
    List<T> all = new ArrayList<>(some);
    all.add(more);
    return all;
  }

  /** Starts all modules that have their presence type on the class path. */
  void startAll() {
    start(modules);
  }

  /** Starts modules, those among them that are not yet. */
  private void start(List<HookModule> due) {
    List<HookModule> present = new ArrayList<>();
    List<Class<?>> late = decide(due, present);
    if (!late.isEmpty()) {
      awaitWoven(late);
    }
    if (!present.isEmpty()) {
      FlagFile.watch();
      report(present);
    }
  }

  /**
   * Decides about modules. Another thread that loads a class of theirs meanwhile waits.
   *
   * @param present takes those that have their presence type on the class path
   * @return the classes that have been loaded without their hooks
   */
  private synchronized List<Class<?>> decide(List<HookModule> due, List<HookModule> present) {
    for (HookModule module : due) {
      if (started.add(module)) {
        if (check == null) {
          check = checks.get();
          classWeaver = new ClassWeaver(check);
        }
        if (check.isPresent(module)) {
          decide(module);
          present.add(module);
        }
      }
    }
    return loadedTooEarly(present);
  }

  private void decide(HookModule module) {
    List<HookState> hooks = new ArrayList<>();
    String reason = "";
    for (Hook hook : module.hooks()) {
      HookState state = new HookState(module, hook);
      hooks.add(state);
      String mismatch = check.mismatch(hook);
      if (mismatch != null) {
        state.failed(mismatch);
        reason += (reason.isEmpty() ? "" : "; ") + hook.name() + ": " + mismatch;
      }
    }
    states.put(module, hooks);
    if (reason.isEmpty() && off.containsKey(module.needs())) {
      reason = needsAnother(module);
    }
    if (!reason.isEmpty()) {
      switchOff(module, reason);
      return;
    }
    for (HookState state : hooks) {
      String name = internalName(state.hook().typeName());
      hooked.put(name, joined(hooked.getOrDefault(name, List.of()), state));
    }
  }

  private static String needsAnother(HookModule module) {
    return "it needs module " + module.needs() + ", which is off";
  }

  /** Half a module is worse than none: no hook of it stays, and no module that needs it. */
  private void switchOff(HookModule module, String reason) {
    if (off.put(module.name(), module) != null) {
      return;
    }
    logger().error("Module {} is OFF, {} ({})", module.name(), module.purpose(), reason);
    for (HookState state : states.get(module)) {
      if (!state.isOff()) {
        state.failed("its module is off");
      }
      String name = internalName(state.hook().typeName());
      List<HookState> rest = new ArrayList<>(hooked.getOrDefault(name, List.of()));
      if (rest.remove(state)) {
        hooked.put(name, rest);
      }
    }
    module.switchedOff();
    for (HookModule other : states.keySet()) {
      if (module.name().equals(other.needs())) {
        switchOff(other, needsAnother(other));
      }
    }
  }

  /**
   * The classes of modules that are on and that the process has loaded, because other daemons or
   * clients in it use them, too.
   */
  private List<Class<?>> loadedTooEarly(List<HookModule> starting) {
    Map<String, List<HookState>> wanted = new HashMap<>();
    for (HookModule module : starting) {
      for (HookState state : states.get(module)) {
        if (!state.isOff()) {
          String type = state.hook().typeName();
          wanted.put(type, joined(wanted.getOrDefault(type, List.of()), state));
        }
      }
    }
    List<Class<?>> found = loaded(wanted.keySet());
    for (Class<?> each : found) {
      for (HookState state : wanted.get(each.getName())) {
        state.setLoadedTooEarly();
      }
    }
    return found;
  }

  private List<Class<?>> loaded(Set<String> names) {
    List<Class<?>> found = new ArrayList<>();
    if (!names.isEmpty()) {
      for (Class<?> each : loaded.all()) {
        if (names.contains(each.getName()) && loaders.has(each.getClassLoader())) {
          found.add(each);
        }
      }
    }
    return found;
  }

  /**
   * Weaves loaded classes, and waits, so that the class whose loading has started a module finds
   * the module complete. Not for ever: to verify a class, the JVM may need the one that this thread
   * loads.
   */
  private void awaitWoven(List<Class<?>> late) {
    logger().info("hadoop-prio agent: weaving classes that are loaded already: {}", late);
    Thread weaving = weaveAgain(late);
    try {
      weaving.join(LATE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Has the JVM ask for loaded classes once more. A thread of its own does that: the JVM asks no
   * agent about what a thread does in a transformer, where the calling thread may be.
   */
  private Thread weaveAgain(List<Class<?>> types) {
    Thread thread =
        new Thread(
            () -> {
              for (Class<?> type : types) {
                try {
                  loaded.transform(type);
                } catch (Throwable e) {
                  failed(type.getName(), e);
                }
              }
            },
            "hadoop-prio-weaver");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private synchronized void report(List<HookModule> present) {
    int total = 0;
    List<String> names = new ArrayList<>();
    List<HookState> missing = new ArrayList<>();
    for (HookModule module : present) {
      names.add(module.name());
      for (HookState state : states.get(module)) {
        total++;
        if (!state.isApplied()) {
          missing.add(state);
        }
      }
    }
    int applied = total - missing.size();
    String text = "hadoop-prio agent {}: hooks applied {} of {} {}";
    if (missing.isEmpty()) {
      logger().info(text, version, applied, total, names);
    } else {
      logger().error(text + ", without {}", version, applied, total, names, missing);
    }
  }

  /** The JVM is about to define a class, or anew; returns null for the class as it is. */
  @Override
  public byte[] transform(
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (name == null) {
      return null;
    }
    if (!loaders.has(loader)) {
      if (startedBy.containsKey(name)) {
        loaders.logStock(loader, name.replace('/', '.'));
      }
      return null;
    }
    List<HookModule> due = redefined == null ? startedBy.get(name) : null;
    if (due != null) {
      try {
        start(due);
      } catch (Throwable e) {
        // The JVM would swallow it. A LinkageError, where the agent's own classes are incomplete.
        System.err.println("hadoop-prio agent is not active in this process: " + e);
      }
    }
    List<HookState> hooks = hooked.get(name);
    return hooks == null || hooks.isEmpty()
        ? null
        : weave(name.replace('/', '.'), classFile, hooks);
  }

  private byte[] weave(String type, byte[] classFile, List<HookState> hooks) {
    List<Hook> weaving = new ArrayList<>();
    for (HookState state : hooks) {
      weaving.add(state.hook());
    }
    try {
      byte[] woven = weaver().weave(type, classFile, weaving);
      for (HookState state : hooks) {
        state.setWoven(true);
      }
      return woven;
    } catch (Throwable e) {
      failed(type, e);
      return null;
    }
  }

  private synchronized ClassWeaver weaver() {
    return classWeaver;
  }

  /** A class could not be woven. Its modules are off, also where they have been woven. */
  private void failed(String type, Throwable cause) {
    logger().error("The hooks of class {} could not be woven", type, cause);
    List<Class<?>> woven = loaded(switchOff(type, cause));
    if (!woven.isEmpty()) {
      weaveAgain(woven);
    }
  }

  /** Switches off all modules with hooks in a class; returns the classes that must lose theirs. */
  private synchronized Set<String> switchOff(String type, Throwable cause) {
    for (HookState state : hooked.getOrDefault(internalName(type), List.of())) {
      state.failed(cause.toString());
    }
    Set<String> woven = new HashSet<>();
    for (Map.Entry<HookModule, List<HookState>> module : states.entrySet()) {
      for (HookState state : module.getValue()) {
        if (state.isOff()) {
          switchOff(module.getKey(), state.toString());
        }
      }
    }
    for (List<HookState> hooks : states.values()) {
      for (HookState state : hooks) {
        if (state.isOff() && state.isWoven()) {
          state.setWoven(false);
          woven.add(state.hook().typeName());
        }
      }
    }
    return woven;
  }

  private static Logger logger() {
    return LoggerFactory.getLogger(PriorityAgent.class);
  }

  boolean isComplete() {
    return applied() == total();
  }

  @Override
  public synchronized int applied() {
    int applied = 0;
    for (List<HookState> hooks : states.values()) {
      for (HookState state : hooks) {
        applied += state.isApplied() ? 1 : 0;
      }
    }
    return applied;
  }

  @Override
  public synchronized int total() {
    return states.values().stream().mapToInt(List::size).sum();
  }

  @Override
  public synchronized List<String> states() {
    List<String> lines = new ArrayList<>();
    for (List<HookState> hooks : states.values()) {
      for (HookState state : hooks) {
        lines.add(state.toString());
      }
    }
    return lines;
  }
}
