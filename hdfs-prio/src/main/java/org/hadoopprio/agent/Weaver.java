package org.hadoopprio.agent;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.bytecode.member.MethodInvocation;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;
import net.bytebuddy.utility.JavaModule;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.metrics.HookStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Weaves the modules that fit and keeps the state of every hook. */
final class Weaver implements HookStatus {

  private static final Advice.ExceptionHandler RECORD_FAILURE = recordFailure();

  private final Map<Hook, HookState> states = new LinkedHashMap<>();
  private final List<String> modulesOff = new ArrayList<>();
  private final List<Hook> fitting = new ArrayList<>();

  Weaver(HookCheck check, List<HookModule> modules) {
    for (HookModule module : modules) {
      if (check.isPresent(module)) {
        decide(module, check);
      }
    }
  }

  private void decide(HookModule module, HookCheck check) {
    List<Hook> hooks = module.hooks();
    String reason = null;
    for (Hook hook : hooks) {
      HookState state = new HookState(module, hook);
      states.put(hook, state);
      String mismatch = check.mismatch(hook);
      if (mismatch != null) {
        state.failed(mismatch);
        reason = hook.name() + ": " + mismatch;
      }
    }
    if (reason == null) {
      fitting.addAll(hooks);
      return;
    }
    modulesOff.add(
        "Module " + module.name() + " is OFF, " + module.purpose() + " (" + reason + ")");
    for (Hook hook : hooks) {
      if (states.get(hook).isApplied()) {
        states.get(hook).failed("its module is off");
      }
    }
  }

  void install(Instrumentation instrumentation) {
    if (fitting.isEmpty()) {
      return;
    }
    AgentBuilder agent =
        new AgentBuilder.Default().disableClassFormatChanges().with(new StateListener());
    for (Hook hook : fitting) {
      Advice advice = advice(hook);
      agent =
          agent
              .type(ElementMatchers.named(hook.typeName()))
              .transform(
                  (builder, type, loader, module, domain) ->
                      builder.visit(advice.on(hook.methods())));
    }
    agent.installOn(instrumentation);
  }

  private static Advice.ExceptionHandler recordFailure() {
    try {
      return new Advice.ExceptionHandler.Simple(
          MethodInvocation.invoke(
              new MethodDescription.ForLoadedMethod(
                  HookFailures.class.getMethod("record", Throwable.class))));
    } catch (NoSuchMethodException e) {
      throw new LinkageError("agent jar is incomplete", e);
    }
  }

  /**
   * Advice whose exceptions go to {@link HookFailures} instead of the hooked method. It is read
   * from its class file: reflection would load the Hadoop classes of its parameters, one of which
   * is the class being woven.
   */
  private static Advice advice(Hook hook) {
    ClassFileLocator agentJar = ClassFileLocator.ForClassLoader.of(Weaver.class.getClassLoader());
    TypeDescription type =
        TypePool.Default.of(agentJar).describe(hook.advice().getName()).resolve();
    return Advice.to(type, agentJar).withExceptionHandler(RECORD_FAILURE);
  }

  private final class StateListener extends AgentBuilder.Listener.Adapter {
    @Override
    public void onTransformation(
        TypeDescription type,
        ClassLoader loader,
        JavaModule module,
        boolean loaded,
        DynamicType dynamicType) {
      for (Map.Entry<Hook, HookState> e : states.entrySet()) {
        if (fitting.contains(e.getKey()) && e.getKey().typeName().equals(type.getName())) {
          e.getValue().woven();
        }
      }
    }

    @Override
    public void onError(
        String typeName, ClassLoader loader, JavaModule module, boolean loaded, Throwable error) {
      for (Map.Entry<Hook, HookState> e : states.entrySet()) {
        if (e.getKey().typeName().equals(typeName)) {
          e.getValue().failed(error.toString());
          logger().error("Hook {} could not be woven", e.getValue(), error);
        }
      }
    }
  }

  void log(String version) {
    for (String off : modulesOff) {
      logger().error(off);
    }
    logger()
        .info("hadoop-prio agent {}: hooks applied {} of {}", version, applied(), states.size());
  }

  private static Logger logger() {
    return LoggerFactory.getLogger(PriorityAgent.class);
  }

  boolean isComplete() {
    return applied() == states.size();
  }

  @Override
  public int applied() {
    return (int) states.values().stream().filter(HookState::isApplied).count();
  }

  @Override
  public int total() {
    return states.size();
  }

  @Override
  public List<String> states() {
    return states.values().stream().map(HookState::toString).collect(Collectors.toList());
  }
}
