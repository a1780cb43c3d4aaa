// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/** Of a sync of a block's files: the checksums, which are in their file, are synced first. */
final class SyncChecksumsHook implements Hook {

  private static final String CHECKSUMS = "checksumOut";

  @Override
  public String name() {
    return "sync-checksums";
  }

  @Override
  public String typeName() {
    return HadoopTypes.REPLICA_OUTPUT_STREAMS;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("syncChecksumOut").and(takesNoArguments());
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(CHECKSUMS, OutputStream.class.getName());
  }

  @Override
  public Class<?> advice() {
    return SyncChecksumsAdvice.class;
  }

  static final class SyncChecksumsAdvice {
    private SyncChecksumsAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.FieldValue(CHECKSUMS) OutputStream checksums) throws IOException {
      if (checksums instanceof FileOutputStream) {
        DataNodeWrites.checksumsSync(((FileOutputStream) checksums).getFD());
      }
    }
  }
}
