// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

/** The agent jar works on the version of Hadoop that the build uses. */
class VersionsDefaultIT extends Versions {

  VersionsDefaultIT() {
    super("default");
  }
}
