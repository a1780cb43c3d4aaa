// SPDX-License-Identifier: Apache-2.0
/** The hooks in HBase: one class for each hook, one package for each module of hooks. */
package org.hadoopprio.hbase.agent.hooks;
