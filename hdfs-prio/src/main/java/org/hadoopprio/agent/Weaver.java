package org.hadoopprio.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.metrics.HookStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a module when the process is about to load the first of its classes, weaves the modules
 * that fit, and keeps the state of every hook. Thread-safe.
 *
 * <p>A class path names the classes of daemons in every client, too, and comparing and weaving
 * their hooks takes longer than many a task does anything else. So a module costs nothing in a
 * process that does not use it, and nothing but names of classes is looked at before that: this
 * class refers to Byte Buddy by {@link HookCheck} and {@link ClassWeaver} only, which are made with
 * the first module.
 */
final class Weaver implements ClassFileTransformer, HookStatus {

  private final String version;
  private final Supplier<HookCheck> checks;
  private final Supplier<Set<String>> loadedTypes;
  private final List<HookModule> modules;

  /** The modules by the internal names of the classes that start them. */
  private final Map<String, List<HookModule>> startedBy = new HashMap<>();

  /** The hooks of the modules that fit, by the internal names of their classes. */
  private final Map<String, List<Hook>> hooked = new ConcurrentHashMap<>();

  // Guarded by this.
  private final List<HookModule> started = new ArrayList<>();
  private final Map<Hook, HookState> states = new LinkedHashMap<>();
  private HookCheck check;
  private ClassWeaver classWeaver;

  /**
   * Describes what may be woven; nothing is, until {@link #transform} is told of a class or {@link
   * #startAll} is called.
   *
   * @param version of the agent, for the log
   * @param checks makes the check of hooks; called once at most
   * @param loadedTypes the binary names of the classes that the process has loaded already
   */
  Weaver(
      String version,
      Supplier<HookCheck> checks,
      Supplier<Set<String>> loadedTypes,
      List<HookModule> modules) {
    this.version = version;
    this.checks = checks;
    this.loadedTypes = loadedTypes;
    this.modules = modules;
    for (HookModule module : modules) {
      for (String type : module.startTypes()) {
        String name = internalName(type);
        List<HookModule> sharing = startedBy.getOrDefault(name, List.of());
        startedBy.put(name, joined(sharing, List.of(module)));
      }
    }
  }

  private static String internalName(String type) {
    return type.replace('.', '/');
  }

  /** Starts all modules that have their presence type on the class path. */
  void startAll() {
    start(modules);
  }

  /**
   * Starts modules, those among them that are not yet. Another thread that loads a class of the
   * same module waits until it is woven.
   */
  private synchronized void start(List<HookModule> due) {
    List<HookModule> starting = new ArrayList<>(due);
    starting.removeAll(started);
    if (starting.isEmpty()) {
      return;
    }
    started.addAll(starting);
    if (check == null) {
      check = checks.get();
      classWeaver = new ClassWeaver(check.classPath());
    }
    List<HookState> decided = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (HookModule module : starting) {
      if (check.isPresent(module)) {
        decided.addAll(decide(module));
        names.add(module.name());
      }
    }
    if (!names.isEmpty()) {
      logger()
          .info(
              "hadoop-prio agent {}: hooks applied {} of {} {}",
              version,
              applied(decided),
              decided.size(),
              names);
    }
  }

  private List<HookState> decide(HookModule module) {
    List<Hook> hooks = module.hooks();
    Set<String> loaded = null;
    List<HookState> decided = new ArrayList<>();
    String reason = null;
    for (Hook hook : hooks) {
      HookState state = new HookState(module, hook);
      states.put(hook, state);
      decided.add(state);
      String mismatch = check.mismatch(hook);
      // A start type is about to be loaded, or will be.
      if (mismatch == null && !module.startTypes().contains(hook.typeName())) {
        loaded = loaded == null ? loadedTypes.get() : loaded;
        if (loaded.contains(hook.typeName())) {
          mismatch = "class " + hook.typeName() + " was loaded before it could be woven";
        }
      }
      if (mismatch != null) {
        state.failed(mismatch);
        reason = hook.name() + ": " + mismatch;
      }
    }
    if (reason == null) {
      for (Hook hook : hooks) {
        String name = internalName(hook.typeName());
        hooked.put(name, joined(hooked.getOrDefault(name, List.of()), List.of(hook)));
      }
      return decided;
    }
    logger().error("Module {} is OFF, {} ({})", module.name(), module.purpose(), reason);
    for (HookState state : decided) {
      if (state.isApplied()) {
        state.failed("its module is off");
      }
    }
    return decided;
  }

  private static <T> List<T> joined(List<T> some, List<T> more) {
    List<T> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  /** The JVM is about to define a class; returns null for the class as it is. */
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
    List<HookModule> due = startedBy.get(name);
    if (due != null) {
      try {
        start(due);
      } catch (Throwable e) {
        // The JVM would swallow it. A LinkageError, where the agent's own classes are incomplete.
        System.err.println("hadoop-prio agent is not active in this process: " + e);
      }
    }
    List<Hook> hooks = hooked.get(name);
    return hooks == null ? null : weave(loader, name.replace('/', '.'), classFile, hooks);
  }

  private byte[] weave(ClassLoader loader, String type, byte[] classFile, List<Hook> hooks) {
    try {
      byte[] woven = weaver().weave(loader, type, classFile, hooks);
      for (HookState state : states(hooks)) {
        state.woven();
      }
      return woven;
    } catch (Throwable e) {
      for (HookState state : states(hooks)) {
        state.failed(e.toString());
        logger().error("Hook {} could not be woven", state, e);
      }
      return null;
    }
  }

  private synchronized ClassWeaver weaver() {
    return classWeaver;
  }

  private synchronized List<HookState> states(List<Hook> hooks) {
    List<HookState> found = new ArrayList<>();
    for (Hook hook : hooks) {
      found.add(states.get(hook));
    }
    return found;
  }

  private static Logger logger() {
    return LoggerFactory.getLogger(PriorityAgent.class);
  }

  boolean isComplete() {
    return applied() == total();
  }

  @Override
  public synchronized int applied() {
    return applied(states.values());
  }

  private static int applied(Collection<HookState> states) {
    int applied = 0;
    for (HookState state : states) {
      applied += state.isApplied() ? 1 : 0;
    }
    return applied;
  }

  @Override
  public synchronized int total() {
    return states.size();
  }

  @Override
  public synchronized List<String> states() {
    return states.values().stream().map(HookState::toString).collect(Collectors.toList());
  }
}
