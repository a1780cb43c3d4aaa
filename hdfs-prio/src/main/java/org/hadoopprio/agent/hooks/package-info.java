// SPDX-License-Identifier: Apache-2.0
/**
 * The hooks: one class for each hooked class of Hadoop, or for some that work together. Advice only
 * delegates, for instance to {@code ClientReads} in clients and to {@code DataNodeReads} in
 * DataNodes.
 */
package org.hadoopprio.agent.hooks;
