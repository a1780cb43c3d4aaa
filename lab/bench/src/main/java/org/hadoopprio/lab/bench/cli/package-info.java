// SPDX-License-Identifier: Apache-2.0
/** The hprio command. */
package org.hadoopprio.lab.bench.cli;
