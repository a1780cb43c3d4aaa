// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.instrument.Instrumentation;
import java.util.List;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.agent.hooks.TypeHooks;
import org.hadoopprio.off.AgentModule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Weaves classes in this JVM; it has loaded one of a module's two classes when it needs the other.
 */
class LoadedClassesTest {

  private final Instrumentation instrumentation = ByteBuddyAgent.install();
  private Weaver weaver;

  /** Nested once more, as JUnit loads what is nested in a test. */
  static final class Classes {
    private Classes() {}

    /** Another daemon in the process uses it, too. */
    static final class Shared {
      private Shared() {}

      static String answer() {
        return "stock";
      }
    }

    static final class Starting {
      private Starting() {}

      static String answer() {
        return "stock";
      }

      static String sharedAnswer() {
        return Shared.answer();
      }
    }

    /** For the other test, as a class starts its module when it is loaded. */
    static final class StartingToo {
      private StartingToo() {}

      static String answer() {
        return "stock";
      }
    }
  }

  static final class Answers extends TypeHooks {
    Answers(String type, String advice) {
      in(type);
      String name = "answer-of-" + type.substring(type.lastIndexOf('$') + 1);
      hook(AgentModule.WORK, name, named("answer"), advice);
    }

    static final class Hooked {
      @Advice.OnMethodExit
      static void exit(@Advice.Return(readOnly = false) String answer) {
        answer = answer + ", hooked";
      }
    }

    /** A static method is not called on an object. */
    static final class Unfit {
      @Advice.OnMethodExit
      static void exit(@Advice.This Object answering) {}
    }
  }

  private static String typeName(String nested) {
    return Classes.class.getName() + "$" + nested;
  }

  private static HookModule module(String starting, String adviceOfShared) {
    return new HookModule(
        AgentModule.WORK, typeName("Shared"), List.of(typeName(starting)), "for the test") {
      @Override
      protected List<TypeHooks> types() {
        return List.of(
            new Answers(typeName(starting), "Hooked"),
            new Answers(typeName("Shared"), adviceOfShared));
      }
    };
  }

  private void start(HookModule module) {
    weaver =
        new Weaver(
            "test", HookCheck::ofClassPath, LoadedClasses.of(instrumentation), List.of(module));
    instrumentation.addTransformer(weaver, true);
  }

  @AfterEach
  void removeHooks() throws Exception {
    instrumentation.removeTransformer(weaver);
    instrumentation.retransformClasses(Classes.Shared.class);
    assertEquals("stock", Classes.Shared.answer());
  }

  @Test
  void aLoadedClassIsWovenBeforeTheClassThatStartsTheModuleIsThere() {
    assertEquals("stock", Classes.Shared.answer());
    start(module("Starting", "Hooked"));
    assertEquals("stock, hooked", Classes.Starting.sharedAnswer());
    assertEquals("stock, hooked", Classes.Starting.answer());
    assertTrue(weaver.isComplete(), weaver.states().toString());
  }

  @Test
  void aLoadedClassThatCannotBeWovenSwitchesTheWholeModuleOff() {
    assertEquals("stock", Classes.Shared.answer());
    start(module("StartingToo", "Unfit"));
    assertEquals("stock", Classes.StartingToo.answer());
    assertEquals("stock", Classes.Shared.answer());
    assertFalse(weaver.isComplete());
    assertEquals(0, weaver.applied(), weaver.states().toString());
  }
}
