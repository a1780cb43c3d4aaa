// SPDX-License-Identifier: Apache-2.0
/** Traces of requests: the hops on their way to the disk, and what the disk was asked for. */
package org.hadoopprio.lab.trace;
