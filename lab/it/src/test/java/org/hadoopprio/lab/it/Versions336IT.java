// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

/** The agent jar works on Hadoop 3.3.6, the oldest version that is tested. */
class Versions336IT extends Versions {

  Versions336IT() {
    super("3.3.6");
  }
}
