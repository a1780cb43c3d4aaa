// SPDX-License-Identifier: Apache-2.0
/** What the client of the cluster in containers runs ({@code docker/run mixed}). */
package org.hadoopprio.lab.bench.containers;
