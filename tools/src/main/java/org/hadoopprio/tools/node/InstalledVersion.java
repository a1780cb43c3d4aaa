// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import picocli.CommandLine;

/** The version of hadoop-prio whose commands these are. */
public final class InstalledVersion implements CommandLine.IVersionProvider {

  /** The version; empty where the classes are not in a jar that was built. */
  public static String text() {
    String version = InstalledVersion.class.getPackage().getImplementationVersion();
    return version == null ? "" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"hprio " + text()};
  }
}
