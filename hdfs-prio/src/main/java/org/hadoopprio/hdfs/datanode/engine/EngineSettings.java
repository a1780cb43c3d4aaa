// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.config.VolumeChoice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine settings of one DataNode. Immutable. */
final class EngineSettings {

  private static final Logger LOG = LoggerFactory.getLogger(EngineSettings.class);

  private final VolumeChoice<Engine> choice;
  private final VolumeChoice<DurationLimits> limits;
  private final String library;
  private final String helper;

  private EngineSettings(Configuration conf) {
    choice = EngineKeys.ENGINE.getOrDefault(conf, LOG);
    limits = EngineKeys.DURATION_LIMITS.getOrDefault(conf, LOG);
    library = EngineKeys.LIBRARY.getOrDefault(conf, LOG);
    helper = EngineKeys.NCQ_HELPER.getOrDefault(conf, LOG);
  }

  /** Reads the settings; a malformed key is logged as an error and its default is used. */
  static EngineSettings of(Configuration conf) {
    return new EngineSettings(conf);
  }

  VolumeChoice<Engine> choice() {
    return choice;
  }

  VolumeChoice<DurationLimits> limits() {
    return limits;
  }

  String library() {
    return library;
  }

  /** The path of the socket of hprio-pbsd; null for none. */
  String helper() {
    return helper;
  }
}
