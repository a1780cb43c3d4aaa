// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.disk.DiskLoad;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.MapReduceJob;
import org.hadoopprio.lab.workload.PaddedText;
import org.hadoopprio.lab.workload.YarnApplications;

/**
 * A MapReduce job, run again when it ends: Hadoop's wordcount of a directory's text, or HBase's
 * RowCounter of a table. Only the disk knows what it reads.
 */
final class JobLoad implements RunningLoad {

  /** Of wordcount's text; RowCounter has a table. */
  static final String DIRECTORY = "directory";

  static final String TABLE = "table";

  static final List<String> OPTIONAL = List.of(ClientLoad.PRIORITY, Tenants.PARAMETER);

  private static final long POLL_MS = 200;
  private static final long END_TIMEOUT_MS = 10_000;

  /** As many as a node manager runs beside the job's master. */
  private static final int TEXT_MAPS = PaddedText.FILES;

  /**
   * How many times each map task of wordcount reads the text, uncached: for longer than a
   * measurement takes, so that reading is measured and not the start of JVMs.
   */
  private static final int TEXT_ROUNDS = 8;

  /** A job's tasks have started once this much is read; less for small data. */
  private static final long BEGUN_BYTES = 128 << 20;

  private static final int BEGUN_PART = 4;

  private final Start start;
  private final boolean text;
  private final Path data;
  private final long dataBytes;
  private final DiskLoad disk;
  private final Thread repeater = new Thread(this::repeat, "job-repeater");
  private volatile MapReduceJob job;
  private volatile IOException failure;
  private volatile boolean closed;

  /** Submits the job. */
  JobLoad(Start start) throws IOException {
    this.start = start;
    this.text = start.parameters().containsKey(DIRECTORY);
    this.data =
        new Path(
            text
                ? start.parameters().get(DIRECTORY)
                : PlanBed.tableDirectory(start.parameters().get(TABLE)));
    try (FileSystem fs = FileSystem.newInstance(start.cluster().hadoopConf())) {
      this.dataBytes = fs.getContentSummary(data).getLength();
    }
    this.disk = DiskLoad.start(start.cluster().devices());
    this.job = submit();
  }

  private MapReduceJob submit() throws IOException {
    if (!text) {
      return submit(
          "org.apache.hadoop.hbase.mapreduce.RowCounter",
          List.of(),
          List.of(start.parameters().get(TABLE)));
    }
    List<String> options = new ArrayList<>();
    if (!start.cluster().hasLittlePageCache()) {
      options.add("-Ddfs.client.cache.drop.behind.reads=true");
    }
    options.add("-Dmapreduce.job.inputformat.class=" + CombineTextInputFormat.class.getName());
    options.add("-D" + FileInputFormat.SPLIT_MAXSIZE + "=" + TEXT_ROUNDS * dataBytes);
    List<String> arguments = textForMaps();
    arguments.add("/counts/" + UUID.randomUUID());
    return submit("org.apache.hadoop.examples.WordCount", options, arguments);
  }

  /** What each map task reads, one after the other: all files, each task beginning with another. */
  private List<String> textForMaps() {
    List<String> paths = new ArrayList<>();
    for (int map = 0; map < TEXT_MAPS; map++) {
      for (int i = 0; i < TEXT_ROUNDS * PaddedText.FILES; i++) {
        paths.add(PaddedText.file(data, (map + i) % PaddedText.FILES + 1).toString());
      }
    }
    return paths;
  }

  private MapReduceJob submit(String mainClass, List<String> own, List<String> arguments)
      throws IOException {
    List<String> options = new ArrayList<>(own);
    Tenants.ofClient(start.parameters())
        .forEach((key, value) -> options.add("-D" + key + "=" + value));
    return MapReduceJob.submit(
        start.cluster(),
        start.logs(),
        start.id(),
        JobProcessors.prefix(),
        priority(),
        mainClass,
        options,
        arguments);
  }

  /** That of the tasks, which are stock where the daemons are. */
  private Optional<IoPriority> priority() {
    return start.daemons().agent()
        ? Optional.of(
            IoPriority.parse(
                start.parameters().getOrDefault(ClientLoad.PRIORITY, IoPriority.NONE.toString())))
        : Optional.empty();
  }

  /** Whether the tasks read; a percentage would come late, as they read for long. */
  @Override
  public boolean isReady() throws IOException {
    if (job.await(0)) {
      // A short job may end between two polls.
      job.requireSuccess();
      return true;
    }
    return disk.readBytes() >= Math.min(BEGUN_BYTES, dataBytes / BEGUN_PART);
  }

  @Override
  public void begin(long from, long to) {
    repeater.setDaemon(true);
    repeater.start();
  }

  private void repeat() {
    try {
      while (!closed) {
        if (job.await(POLL_MS) && !closed) {
          job.requireSuccess();
          job = submit();
        }
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  @Override
  public List<String> commands() {
    return List.of(job.command());
  }

  @Override
  public void requireAlive() throws IOException {
    IOException seen = failure;
    if (seen != null) {
      throw new IOException(start.name() + " failed", seen);
    }
  }

  @Override
  public JsonNode figures(long from, long to) throws IOException {
    requireAlive();
    return new ObjectMapper().createObjectNode();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    repeater.interrupt();
    // It may be submitting the next job.
    Pauses.await("the end of " + repeater.getName(), END_TIMEOUT_MS, () -> !repeater.isAlive());
    job.close();
    YarnApplications.killAll(start.cluster().hadoopConf());
  }
}
