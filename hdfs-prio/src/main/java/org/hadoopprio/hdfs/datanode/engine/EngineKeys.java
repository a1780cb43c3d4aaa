// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.config.VolumeChoice;

/** The configuration keys of the engines. */
public final class EngineKeys {

  /** The engine of each volume. */
  public static final ConfigKey<VolumeChoice<Engine>> ENGINE =
      new ConfigKey<>(
          "dfs.datanode.io.priority.engine",
          "engines",
          "thread",
          ConfigKey.Tag.DATANODE,
          false,
          "How real-time reads of finalized blocks are done: auto, thread, direct or ncq for all"
              + " volumes, DIRECTORY=ENGINE for one, separated by commas. thread: stock HDFS code"
              + " on a thread that has the priority. direct: O_DIRECT through io_uring, each"
              + " request with the priority. ncq: commands to a SATA drive with NCQ priority, past"
              + " the I/O scheduler. Neither fills the page cache. auto: the engine that suits the"
              + " volume's device; log and JMX show which one and why. What the engine cannot read"
              + " goes through thread. Example: auto, /data/1=thread. A directory that is not a"
              + " volume is logged as an error.",
          text ->
              VolumeChoice.parse(
                  text, Engine.THREAD, "auto, thread, direct or ncq", Engine::parse));

  /** The duration limits that reads with a latency target use. */
  public static final ConfigKey<VolumeChoice<DurationLimits>> DURATION_LIMITS =
      new ConfigKey<>(
          "dfs.datanode.io.priority.engine.duration.limits",
          "limits",
          "auto",
          ConfigKey.Tag.DATANODE,
          false,
          "The drive's command duration limits that engine direct may use for reads with a latency"
              + " target: auto, off or limits for all volumes, DIRECTORY=VALUE for one, separated"
              + " by commas. auto: what the drive says, where the kernel's cdl_enable is 1;"
              + " without the right to ask the drive, none. Limits: descriptor (1 to 7), colon,"
              + " time of 1us to 60s, separated by spaces; other descriptors are not used."
              + " Example: auto, /data/1=1:20ms 2:100ms. A directory that is not a volume is"
              + " logged as an error.",
          text ->
              VolumeChoice.parse(
                  text, DurationLimits.AUTO, DurationLimits.ALLOWED, DurationLimits::parse));

  /** The native library of the engines. */
  public static final ConfigKey<String> LIBRARY =
      new ConfigKey<>(
          "dfs.datanode.io.priority.engine.library",
          "path or name",
          "hprio_pbs",
          ConfigKey.Tag.DATANODE,
          false,
          "The native library of direct and ncq: the path of libhprio_pbs.so, or a name that the"
              + " system's loader finds (LD_LIBRARY_PATH, ldconfig). If it cannot be loaded, all"
              + " reads go through thread.",
          text -> text);

  /** The helper of engine ncq. */
  public static final ConfigKey<String> NCQ_HELPER =
      new ConfigKey<>(
          "dfs.datanode.io.priority.engine.ncq.helper",
          "path",
          "",
          ConfigKey.Tag.DATANODE,
          false,
          "The socket of hprio-pbsd, which sends the commands of engine ncq, so that the DataNode"
              + " needs no right to write its disks. Not set: the DataNode sends them with its own"
              + " rights. While the helper does not answer, reads go through thread; the DataNode"
              + " tries again every 5 to 60 seconds.",
          EngineKeys::parseSocket);

  private EngineKeys() {}

  static String parseSocket(String text) {
    // sun_path of unix(7): 108 bytes with the final zero.
    if (!text.startsWith("/") || text.length() > 107) {
      throw new IllegalArgumentException("allowed: an absolute path of at most 107 bytes");
    }
    return text;
  }
}
