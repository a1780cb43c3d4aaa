// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Which methods call which, as the class files of the class path say. What is called through a type
 * is looked up in that type, those above it, and the classes below it; a lambda counts as called
 * where it is made, unless it is handed to another thread there. Not thread-safe.
 */
final class CallGraph {

  private static final int ASM = Opcodes.ASM9;
  private static final String CLASS = ".class";

  /** The methods that have another thread call what they are given. */
  private static final Set<String> OF_ANOTHER_THREAD = Set.of("start", "execute", "submit");

  /** A method, or a call of one. */
  static final class Method {

    /** The internal name of the class. */
    final String owner;

    final String name;
    final String descriptor;

    Method(String owner, String name, String descriptor) {
      this.owner = owner;
      this.name = name;
      this.descriptor = descriptor;
    }

    /** Whether it has the name and the parameters of another one, in whatever class. */
    boolean looksLike(Method other) {
      return name.equals(other.name) && descriptor.equals(other.descriptor);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Method
          && looksLike((Method) other)
          && owner.equals(((Method) other).owner);
    }

    @Override
    public int hashCode() {
      return toString().hashCode();
    }

    @Override
    public String toString() {
      return owner + "." + name + descriptor;
    }
  }

  /** What a method does, in the order of its class file. */
  static final class Body {

    final boolean isSynchronized;
    final List<Method> calls = new ArrayList<>();

    /** Those calls during which the method itself has a monitor or a lock. */
    private final List<Method> locked = new ArrayList<>();

    Body(boolean isSynchronized) {
      this.isSynchronized = isSynchronized;
    }

    List<Method> lockedCalls() {
      return isSynchronized ? calls : locked;
    }
  }

  private static final class Type {
    String parent = "";
    final List<String> above = new ArrayList<>();
    final Map<String, Body> bodies = new HashMap<>();
  }

  private final Map<String, Type> types = new HashMap<>();

  /** The classes that extend a class, directly. */
  private final Map<String, Set<String>> below = new HashMap<>();

  /** What takes a lock that is given back by what {@link #isClosed} knows. */
  private final Predicate<Method> isLock;

  private final Predicate<Method> isClosed;

  /**
   * An empty graph.
   *
   * @param classes a directory of class files: of what classes below others are looked for
   */
  CallGraph(Path classes, Predicate<Method> isLock, Predicate<Method> isClosed) throws IOException {
    this.isLock = isLock;
    this.isClosed = isClosed;
    try (Stream<Path> files = Files.walk(classes)) {
      files
          .map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith(CLASS))
          .map(name -> name.substring(0, name.length() - CLASS.length()))
          .forEach(
              name -> below.computeIfAbsent(type(name).parent, p -> new TreeSet<>()).add(name));
    }
  }

  /** The methods of a class by name and descriptor; none if the class path does not have it. */
  Map<String, Body> bodies(String owner) {
    return type(owner).bodies;
  }

  /**
   * How a call is reached from a method, by which methods; empty if none is.
   *
   * @param prefix only methods of classes with this begin of the internal name are looked into
   * @param ends which call
   */
  List<Method> path(Method from, String prefix, Predicate<Method> ends) {
    Map<Method, Method> callers = new HashMap<>();
    Deque<Method> open = new ArrayDeque<>(List.of(from));
    callers.put(from, from);
    while (!open.isEmpty()) {
      Method method = open.remove();
      if (ends.test(method)) {
        return pathTo(method, callers);
      }
      for (Method called : calls(method, prefix)) {
        if (callers.putIfAbsent(called, method) == null) {
          open.add(called);
        }
      }
    }
    return List.of();
  }

  private List<Method> calls(Method method, String prefix) {
    if (!method.owner.startsWith(prefix)) {
      return List.of();
    }
    List<Method> calls = new ArrayList<>();
    Body body = body(method);
    if (body != null) {
      calls.addAll(body.calls);
    }
    for (String owner : below.getOrDefault(method.owner, Set.of())) {
      // A constructor's call is for one class, and its own calls lead to those above.
      if (!method.name.equals("<init>")) {
        calls.add(new Method(owner, method.name, method.descriptor));
      }
    }
    return calls;
  }

  private static List<Method> pathTo(Method end, Map<Method, Method> callers) {
    List<Method> path = new ArrayList<>(List.of(end));
    Method at = end;
    while (!callers.get(at).equals(at)) {
      at = callers.get(at);
      path.add(at);
    }
    Collections.reverse(path);
    return path;
  }

  private Body body(Method called) {
    Deque<String> owners = new ArrayDeque<>(List.of(called.owner));
    while (!owners.isEmpty()) {
      Type type = type(owners.pop());
      Body body = type.bodies.get(called.name + called.descriptor);
      if (body != null) {
        return body;
      }
      owners.addAll(type.above);
    }
    return null;
  }

  private Type type(String owner) {
    Type known = types.get(owner);
    if (known == null) {
      known = read(owner);
      types.put(owner, known);
    }
    return known;
  }

  private Type read(String owner) {
    Type type = new Type();
    try (InputStream in = ClassLoader.getSystemResourceAsStream(owner + CLASS)) {
      if (in != null) {
        new ClassReader(in.readAllBytes()).accept(new TypeVisitor(type), ClassReader.SKIP_FRAMES);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return type;
  }

  private final class TypeVisitor extends ClassVisitor {

    private final Type type;

    TypeVisitor(Type type) {
      super(ASM);
      this.type = type;
    }

    @Override
    public void visit(
        int version, int access, String name, String generic, String parent, String[] interfaces) {
      if (parent != null) {
        type.parent = parent;
        type.above.add(parent);
      }
      type.above.addAll(List.of(interfaces));
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String generic, String[] exceptions) {
      Body body = new Body((access & Opcodes.ACC_SYNCHRONIZED) != 0);
      type.bodies.put(name + descriptor, body);
      return new BodyVisitor(body);
    }
  }

  /**
   * A lock is held from where it is taken to where it is first given back: the compiler writes the
   * way of an exception after that.
   */
  private final class BodyVisitor extends MethodVisitor {

    private final Body body;
    private int held;

    /** The lambda that was just made; null if another call came since. */
    private Method made;

    BodyVisitor(Body body) {
      super(ASM);
      this.body = body;
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.MONITORENTER) {
        held++;
      } else if (opcode == Opcodes.MONITOREXIT) {
        held = Math.max(0, held - 1);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      Method called = new Method(owner, name, descriptor);
      if (!OF_ANOTHER_THREAD.contains(name)) {
        addMade();
      }
      made = null;
      if (isLock.test(called)) {
        held++;
      } else if (isClosed.test(called)) {
        held = Math.max(0, held - 1);
      }
      add(called);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      addMade();
      for (Object argument : arguments) {
        if (argument instanceof Handle) {
          Handle handle = (Handle) argument;
          made = new Method(handle.getOwner(), handle.getName(), handle.getDesc());
        }
      }
    }

    @Override
    public void visitEnd() {
      addMade();
    }

    private void addMade() {
      if (made != null) {
        add(made);
        made = null;
      }
    }

    private void add(Method called) {
      body.calls.add(called);
      if (held > 0) {
        body.locked.add(called);
      }
    }
  }
}
