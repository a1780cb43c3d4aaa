// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static org.hadoopprio.off.AgentModule.ENGINES;
import static org.hadoopprio.off.AgentModule.SCHEDULER;

import java.io.IOException;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;

/** A replica in a local directory. */
public final class LocalReplicaHooks extends TypeHooks {

  private static final String LOCAL_REPLICA = "org.apache.hadoop.hdfs.server.datanode.LocalReplica";

  public LocalReplicaHooks() {
    in(LOCAL_REPLICA);
    hook(SCHEDULER, "open-checksums", named("getMetadataInputStream"), "OpenChecksums");
    hook(ENGINES, "read-checksums", named("getMetadataInputStream"), "ReadChecksums");
  }

  /** The checksums of a replica that a stream reads ahead together with its data. */
  static final class OpenChecksums {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return LengthInputStream checksums) throws IOException {
      ScheduledReads.checksumsOpened(checksums);
    }
  }

  /** Hands the reading of the checksums of a replica to an engine. */
  static final class ReadChecksums {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This LocalReplica replica,
        @Advice.Return(readOnly = false) LengthInputStream checksums)
        throws IOException {
      checksums = DataNodeReads.checksums(replica.getState(), replica.getVolume(), checksums);
    }
  }
}
