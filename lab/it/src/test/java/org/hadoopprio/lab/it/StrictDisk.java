package org.hadoopprio.lab.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.ThreadIoPriority;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A slow disk behind a scheduler of strict classes, inside a DataNode: one packet is served at a
 * time and no lower class as long as a real-time one waits. It sits where Hadoop has its own fault
 * injection, before the bytes of a packet are sent, and needs neither root nor a device.
 */
public final class StrictDisk {

  /** How long it serves a packet. */
  static final long SERVICE_MILLIS = 5;

  private static final String SEAM =
      "org/apache/hadoop/hdfs/server/datanode/FaultInjectorFileIoEvents";

  private static boolean busy;
  private static int realtimeWaiting;

  private StrictDisk() {}

  /** Writes Hadoop's class with the call added; to stand before Hadoop's jars on a class path. */
  static Path writeTo(Path directory) throws IOException {
    String resource = SEAM + ".class";
    try (InputStream in = StrictDisk.class.getClassLoader().getResourceAsStream(resource)) {
      ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      new ClassReader(in).accept(new CallAdded(writer), 0);
      Path file = directory.resolve(resource);
      Files.createDirectories(file.getParent());
      Files.write(file, writer.toByteArray());
    }
    return directory;
  }

  private static final class CallAdded extends ClassVisitor {
    CallAdded(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      if (!name.equals("beforeFileIo")) {
        return next;
      }
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitCode() {
          super.visitCode();
          visitVarInsn(Opcodes.ALOAD, 2);
          visitVarInsn(Opcodes.LLOAD, 3);
          visitMethodInsn(
              Opcodes.INVOKESTATIC,
              StrictDisk.class.getName().replace('.', '/'),
              "serve",
              "(Ljava/lang/Object;J)V",
              false);
        }
      };
    }
  }

  /** Called in the DataNode before it does what {@code operation} names; bytes may be 0. */
  public static void serve(Object operation, long bytes) throws InterruptedException {
    if (operation.toString().equals("TRANSFER") && bytes > 0) {
      IoPriority applied = ThreadIoPriority.applied();
      acquire(applied != null && applied.ioClass() == IoClass.REALTIME);
      try {
        Thread.sleep(SERVICE_MILLIS);
      } finally {
        release();
      }
    }
  }

  private static synchronized void acquire(boolean realtime) throws InterruptedException {
    if (realtime) {
      realtimeWaiting++;
    }
    try {
      while (busy || (!realtime && realtimeWaiting > 0)) {
        StrictDisk.class.wait();
      }
      busy = true;
    } finally {
      if (realtime) {
        realtimeWaiting--;
      }
    }
  }

  private static synchronized void release() {
    busy = false;
    StrictDisk.class.notifyAll();
  }
}
