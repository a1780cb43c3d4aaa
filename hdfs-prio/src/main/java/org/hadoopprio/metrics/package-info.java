// SPDX-License-Identifier: Apache-2.0
/** Counters of this process and their publication in Hadoop's metrics system. */
package org.hadoopprio.metrics;
