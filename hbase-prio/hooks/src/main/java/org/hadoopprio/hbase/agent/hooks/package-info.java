// SPDX-License-Identifier: Apache-2.0
/** The hooks: one class for each hooked class of HBase, or for some that work together. */
package org.hadoopprio.hbase.agent.hooks;
