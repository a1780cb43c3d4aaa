// SPDX-License-Identifier: Apache-2.0
/**
 * The hooks: one class for each hook, one package for each module of hooks. Advice only delegates,
 * for instance to {@code ClientReads} in clients and to {@code DataNodeReads} in DataNodes.
 */
package org.hadoopprio.agent.hooks;
