// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

/** The agent jar works on Hadoop 3.5.0, the newest version that is tested. */
class Versions350IT extends Versions {

  Versions350IT() {
    super("3.5.0");
  }
}
