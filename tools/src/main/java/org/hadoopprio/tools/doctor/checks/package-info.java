// SPDX-License-Identifier: Apache-2.0
/**
 * What {@code hprio doctor} checks, each part of a node by a class of its own. A check writes what
 * it finds to the report, and knows nothing of the command.
 */
package org.hadoopprio.tools.doctor.checks;
