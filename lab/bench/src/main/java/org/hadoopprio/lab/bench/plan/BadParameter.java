// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

/** A parameter of a load has a value that is not allowed. */
final class BadParameter extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final String name;

  BadParameter(String name, String message) {
    super(message);
    this.name = name;
  }

  /** The parameter's. */
  String name() {
    return name;
  }
}
