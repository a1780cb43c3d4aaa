// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.io.IOException;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;

/** The checksums of a replica that a stream reads ahead together with its data. */
final class OpenChecksumsHook extends HookBase {

  OpenChecksumsHook() {
    super("open-checksums", HadoopTypes.LOCAL_REPLICA, named("getMetadataInputStream"));
  }

  static final class OpenChecksumsAdvice {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return LengthInputStream checksums) throws IOException {
      ScheduledReads.checksumsOpened(checksums);
    }
  }
}
