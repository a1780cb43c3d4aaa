// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.util.List;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.TypeInitializer;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.auxiliary.AuxiliaryType;
import net.bytebuddy.implementation.bytecode.member.MethodInvocation;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.pool.TypePool;
import org.hadoopprio.agent.hooks.Hook;

/**
 * Weaves hooks into class files. Thread-safe.
 *
 * <p>Advice is all that it takes of Byte Buddy. Its builders of types and of agents load and run
 * three times as much code, which a process pays for when it starts.
 */
final class ClassWeaver {

  private static final ClassFileLocator AGENT =
      ClassFileLocator.ForClassLoader.of(ClassWeaver.class.getClassLoader());

  private static final Advice.ExceptionHandler RECORD_FAILURE = recordFailure();

  private final TypePool agentTypes = TypePool.Default.of(AGENT);
  private final HookCheck check;
  private final TypePool classPath;

  /**
   * Makes a weaver.
   *
   * @param check has read the classes of the system's class loader, and the advice
   */
  ClassWeaver(HookCheck check) {
    this.check = check;
    this.classPath = check.classPath();
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
   * The class file with hooks woven in.
   *
   * @param type the binary name of a class on the class path
   */
  byte[] weave(String type, byte[] classFile, List<Hook> hooks) {
    TypeDescription described = classPath.describe(type).resolve();
    ClassReader reader = new ClassReader(classFile);
    // Frames and sizes of woven methods are Advice's; those of all others are copied.
    ClassWriter writer = new ClassWriter(reader, 0);
    Implementation.Context context = context(described, ClassFileVersion.ofClassFile(classFile));
    ClassVisitor woven = writer;
    for (Hook hook : hooks) {
      woven =
          advice(hook)
              .on(check.methods(hook))
              .wrap(
                  described,
                  woven,
                  context,
                  classPath,
                  described.getDeclaredFields(),
                  described.getDeclaredMethods(),
                  0,
                  0);
    }
    reader.accept(woven, 0);
    return writer.toByteArray();
  }

  /** For code that needs no further classes, fields or methods. */
  private static Implementation.Context context(TypeDescription type, ClassFileVersion version) {
    return Implementation.Context.Disabled.Factory.INSTANCE.make(
        type,
        new AuxiliaryType.NamingStrategy.SuffixingRandom("hprio"),
        TypeInitializer.None.INSTANCE,
        version,
        version,
        Implementation.Context.FrameGeneration.GENERATE);
  }

  /**
   * Advice whose exceptions go to {@link HookFailures} instead of the hooked method. It is read
   * from its class file: reflection would load the Hadoop classes of its parameters, one of which
   * is the class being woven.
   */
  private Advice advice(Hook hook) {
    TypeDescription type = agentTypes.describe(hook.advice()).resolve();
    return Advice.to(type, AGENT).withExceptionHandler(RECORD_FAILURE);
  }
}
