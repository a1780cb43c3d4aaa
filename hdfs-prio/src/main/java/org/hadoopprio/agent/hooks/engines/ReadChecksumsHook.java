// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.engines;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.io.IOException;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/** Hands the reading of the checksums of a replica to an engine. */
final class ReadChecksumsHook extends HookBase {

  ReadChecksumsHook() {
    super("read-checksums", HadoopTypes.LOCAL_REPLICA, named("getMetadataInputStream"));
  }

  static final class ReadChecksumsAdvice {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This LocalReplica replica,
        @Advice.Return(readOnly = false) LengthInputStream checksums)
        throws IOException {
      checksums = DataNodeReads.checksums(replica.getState(), replica.getVolume(), checksums);
    }
  }
}
