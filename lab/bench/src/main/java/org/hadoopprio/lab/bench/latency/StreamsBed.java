// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopprio.lab.bench.bed.ClientBed;
import org.hadoopprio.lab.bench.bed.TriedSystem;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.workload.StreamFiles;

/** One DataNode on one virtual disk with files of streams, beside which a client is measured. */
abstract class StreamsBed<S extends TriedSystem> extends ClientBed<S> {

  static final int STREAMS = 16;
  static final String DIRECTORY = "/streams";
  static final long ALL_STREAM_BYTES = STREAMS * (128L << 20);

  StreamsBed(LocalCluster cluster) throws IOException {
    super(cluster);
  }

  /** The size of a disk with room for the streams' files, more bytes, and what is kept free. */
  static long diskBytes(long moreBytes) {
    return (ALL_STREAM_BYTES + moreBytes) * 9 / 8;
  }

  final void writeStreams(FileSystem fs, StepLog log) throws IOException {
    log.say("writing files of streams, " + (ALL_STREAM_BYTES >> 20) + " MiB");
    StreamFiles.write(
        fs,
        new Path(DIRECTORY),
        0,
        STREAMS,
        ALL_STREAM_BYTES / STREAMS,
        progress(log, ALL_STREAM_BYTES, "bytes"));
  }
}
