// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The record of the policies in force, one for each key that names a policy file. */
final class PoliciesRecord {

  private static final MetricsInfo KEY = Interns.info("key", "Key that names the policy file");
  private static final MetricsInfo VERSION =
      Interns.info("version", "Version that the policy file states, or none");
  private static final MetricsInfo HASH =
      Interns.info("hash", "First 12 digits of the policy file's SHA-256, or none");
  private static final MetricsInfo RULES = Interns.info("Rules", "Rules of the policy in force");
  private static final MetricsInfo USABLE =
      Interns.info(
          "Usable",
          "0 if the policy file could not be used at the server's start, so that nobody is granted"
              + " more than normal; otherwise 1");

  private PoliciesRecord() {}

  static MetricsSource source(Supplier<List<PolicyStatus>> policies) {
    return (collector, all) -> {
      for (PolicyStatus status : policies.get()) {
        collector
            .addRecord(PriorityMetricsSource.POLICIES_RECORD)
            .setContext(PriorityMetricsSource.CONTEXT)
            .tag(KEY, status.getKey())
            .tag(VERSION, status.getVersion())
            .tag(HASH, status.getHash())
            .addGauge(RULES, status.getRules().length)
            .addGauge(USABLE, status.isUsable() ? 1 : 0);
      }
    };
  }
}
