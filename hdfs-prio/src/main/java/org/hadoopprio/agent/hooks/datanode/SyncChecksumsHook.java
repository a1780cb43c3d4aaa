// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/** Of a sync of a block's files: the checksums, which are in their file, are synced first. */
final class SyncChecksumsHook extends HookBase {

  SyncChecksumsHook() {
    super(
        "sync-checksums",
        HadoopTypes.REPLICA_OUTPUT_STREAMS,
        named("syncChecksumOut").and(takesNoArguments()));
  }

  private static final String CHECKSUMS = "checksumOut";

  @Override
  public Map<String, String> fields() {
    return Map.of(CHECKSUMS, OutputStream.class.getName());
  }

  static final class SyncChecksumsAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.FieldValue(CHECKSUMS) OutputStream checksums) throws IOException {
      if (checksums instanceof FileOutputStream) {
        DataNodeWrites.checksumsSync(((FileOutputStream) checksums).getFD());
      }
    }
  }
}
