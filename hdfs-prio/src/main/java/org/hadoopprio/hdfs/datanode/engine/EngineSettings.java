package org.hadoopprio.hdfs.datanode.engine;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.config.HdfsKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one DataNode's configuration says of engines. Immutable. */
public final class EngineSettings {

  private static final Logger LOG = LoggerFactory.getLogger(EngineSettings.class);

  private final EngineChoice choice;
  private final String library;
  private final String helper;
  private final int raiseAfterMillis;

  private EngineSettings(Configuration conf) {
    choice = HdfsKeys.DATANODE_ENGINE.getOrDefault(conf, LOG);
    library = HdfsKeys.DATANODE_ENGINE_LIBRARY.getOrDefault(conf, LOG);
    helper = HdfsKeys.DATANODE_ENGINE_NCQ_HELPER.getOrDefault(conf, LOG);
    raiseAfterMillis = HdfsKeys.DATANODE_ENGINE_NCQ_RAISE_AFTER.getOrDefault(conf, LOG);
  }

  /** Reads the settings; a malformed key is logged as an error and its default used. */
  static EngineSettings of(Configuration conf) {
    return new EngineSettings(conf);
  }

  EngineChoice choice() {
    return choice;
  }

  String library() {
    return library;
  }

  /** The socket of hprio-pbsd; null for none. */
  String helper() {
    return helper;
  }

  /** 0 for never. */
  int raiseAfterMillis() {
    return raiseAfterMillis;
  }

  /** Reads a number of milliseconds from its text form. */
  public static int parseMillis(String text) {
    try {
      int millis = Integer.parseInt(text);
      if (millis >= 0) {
        return millis;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException("allowed: 0 to " + Integer.MAX_VALUE);
  }

  /** Reads the path of a socket from its text form. */
  public static String parseSocket(String text) {
    // sun_path of unix(7): 108 bytes with the final zero.
    if (!text.startsWith("/") || text.length() > 107) {
      throw new IllegalArgumentException("allowed: an absolute path of at most 107 bytes");
    }
    return text;
  }
}
