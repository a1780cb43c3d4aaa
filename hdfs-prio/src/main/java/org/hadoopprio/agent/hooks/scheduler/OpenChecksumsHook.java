// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.io.IOException;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;

/** The checksums of a replica that a stream reads ahead together with its data. */
final class OpenChecksumsHook implements Hook {

  @Override
  public String name() {
    return "open-checksums";
  }

  @Override
  public String typeName() {
    return HadoopTypes.LOCAL_REPLICA;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("getMetadataInputStream");
  }

  @Override
  public Class<?> advice() {
    return OpenChecksumsAdvice.class;
  }

  static final class OpenChecksumsAdvice {
    private OpenChecksumsAdvice() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return LengthInputStream checksums) throws IOException {
      ScheduledReads.checksumsOpened(checksums);
    }
  }
}
