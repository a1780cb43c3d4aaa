// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.datatransfer.Receiver;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpReadBlockProto;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * A Hadoop of the future, simulated: the method that parses a read's header has another name, in
 * its class and where it is called.
 */
final class RenamedMethod {

  private static final List<Class<?>> TOUCHED = List.of(OpReadBlockProto.class, Receiver.class);

  private static final Remapper RENAME =
      new Remapper() {
        @Override
        public String mapMethodName(String owner, String name, String descriptor) {
          boolean parse =
              name.equals("parseFrom") && descriptor.startsWith("(Ljava/io/InputStream;)");
          return parse && owner.endsWith("$OpReadBlockProto") ? "parseReadFrom" : name;
        }
      };

  private RenamedMethod() {}

  /** Writes the changed classes; to stand before Hadoop's jars on a class path. */
  static Path writeTo(Path directory) throws IOException {
    for (Class<?> type : TOUCHED) {
      String resource = type.getName().replace('.', '/') + ".class";
      try (InputStream in = type.getClassLoader().getResourceAsStream(resource)) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(in).accept(new ClassRemapper(writer, RENAME), 0);
        Path file = directory.resolve(resource);
        Files.createDirectories(file.getParent());
        Files.write(file, writer.toByteArray());
      }
    }
    return directory;
  }
}
