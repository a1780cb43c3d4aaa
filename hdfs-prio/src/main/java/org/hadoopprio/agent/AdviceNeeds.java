// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.method.ParameterList;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.pool.TypePool;

/**
 * What advice needs of Hadoop, as its class file says: what it is given of the hooked class and
 * method, and what it calls. The advice is not loaded. Matches the methods that have what it is
 * given. Immutable.
 *
 * <p>A parameter that is an {@code Object} takes anything.
 */
final class AdviceNeeds implements ElementMatcher<MethodDescription> {

  private static final String THIS = Type.getDescriptor(Advice.This.class);
  private static final String FIELD = Type.getDescriptor(Advice.FieldValue.class);
  private static final String ARGUMENT = Type.getDescriptor(Advice.Argument.class);
  private static final String RETURN = Type.getDescriptor(Advice.Return.class);

  private final TypePool classPath;
  private final List<Given> given = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();

  /**
   * Reads a class file.
   *
   * @param advice the binary name of a class of the agent
   * @param classPath the classes that it may be woven into, and those that they refer to
   */
  AdviceNeeds(String advice, TypePool classPath) {
    this.classPath = classPath;
    String file = advice.replace('.', '/') + ".class";
    try (InputStream in = AdviceNeeds.class.getClassLoader().getResourceAsStream(file)) {
      if (in == null) {
        throw new LinkageError("agent jar has no " + file);
      }
      new ClassReader(in.readAllBytes()).accept(new Reader(), ClassReader.SKIP_FRAMES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean matches(MethodDescription method) {
    ParameterList<?> parameters = method.getParameters();
    for (Given each : given) {
      if (each.annotation.equals(RETURN) && !takes(each, method.getReturnType().asErasure())) {
        return false;
      }
      if (each.annotation.equals(ARGUMENT)) {
        int index = (Integer) each.key;
        if (index >= parameters.size()
            || !takes(each, parameters.get(index).getType().asErasure())) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean takes(Given each, TypeDescription type) {
    return each.type.equals(type.getName())
        || each.type.equals(Object.class.getName())
        || (!each.isWritten && type.isAssignableTo(classPath.describe(each.type).resolve()));
  }

  /**
   * What a class, or what the advice calls, does not have; null if all is there.
   *
   * @throws TypePool.Resolution.NoSuchTypeException for a class that there is not
   */
  String missing(TypeDescription hooked) {
    for (Given each : given) {
      if (each.annotation.equals(THIS) && !takes(each, hooked)) {
        return hooked.getName() + " is no " + each.type;
      }
      if (each.annotation.equals(FIELD)) {
        FieldDescription field = field(hooked, each.key);
        if (field == null || !takes(each, field.getType().asErasure())) {
          return hooked.getName() + " has no field " + each.type + " " + each.key;
        }
      }
    }
    for (Call call : calls) {
      if (!has(classPath.describe(call.owner).resolve(), call)) {
        return call.owner + " has no method " + call.name + call.descriptor;
      }
    }
    return null;
  }

  /** The field of that name that the class declares, or else inherits; null if it has none. */
  private static FieldDescription field(TypeDescription type, Object name) {
    for (FieldDescription field : type.getDeclaredFields()) {
      if (field.getName().equals(name)) {
        return field;
      }
    }
    TypeDescription.Generic parent = type.getSuperClass();
    return parent == null ? null : field(parent.asErasure(), name);
  }

  private static boolean has(TypeDescription type, Call call) {
    for (MethodDescription method : type.getDeclaredMethods()) {
      if (method.getInternalName().equals(call.name)
          && method.getDescriptor().equals(call.descriptor)) {
        return true;
      }
    }
    for (TypeDescription.Generic parent : type.getInterfaces()) {
      if (has(parent.asErasure(), call)) {
        return true;
      }
    }
    TypeDescription.Generic parent = type.getSuperClass();
    return parent != null && has(parent.asErasure(), call);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("takes()");
    for (Given each : given) {
      if (each.annotation.equals(ARGUMENT)) {
        text.append(".argument(").append(each.key).append(": ").append(each.type).append(')');
      } else if (each.annotation.equals(RETURN)) {
        text.append(".returned(").append(each.type).append(')');
      }
    }
    return text.toString();
  }

  /** A parameter of advice. Immutable. */
  private static final class Given {
    /** The descriptor of the annotation that says what is given. */
    final String annotation;

    /** The name of the field, or the index of the argument; else null. */
    final Object key;

    final String type;
    final boolean isWritten;

    Given(String annotation, Object key, String type, boolean isWritten) {
      this.annotation = annotation;
      this.key = key;
      this.type = type;
      this.isWritten = isWritten;
    }
  }

  /** A call of a method that is neither Java's nor this project's. Immutable. */
  private static final class Call {
    final String owner;
    final String name;
    final String descriptor;

    Call(String owner, String name, String descriptor) {
      this.owner = owner;
      this.name = name;
      this.descriptor = descriptor;
    }
  }

  /** Takes the needs from a class file. */
  private final class Reader extends ClassVisitor {

    Reader() {
      super(Opcodes.ASM9);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      Type[] parameters = Type.getArgumentTypes(descriptor);
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public AnnotationVisitor visitParameterAnnotation(
            int parameter, String annotation, boolean visible) {
          return new GivenReader(annotation, parameters[parameter].getClassName());
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String signature, boolean isInterface) {
          if (!owner.startsWith("java/") && !owner.startsWith("org/hadoopprio/")) {
            calls.add(new Call(owner.replace('/', '.'), called, signature));
          }
        }
      };
    }
  }

  /** Takes what an annotation says. */
  private final class GivenReader extends AnnotationVisitor {

    private final String annotation;
    private final String type;
    private Object key;
    private boolean isWritten;

    GivenReader(String annotation, String type) {
      super(Opcodes.ASM9);
      this.annotation = annotation;
      this.type = type;
    }

    @Override
    public void visit(String name, Object value) {
      if (name.equals("value")) {
        key = value;
      } else if (name.equals("readOnly")) {
        isWritten = value.equals(false);
      }
    }

    @Override
    public void visitEnd() {
      given.add(new Given(annotation, key, type, isWritten));
    }
  }
}
