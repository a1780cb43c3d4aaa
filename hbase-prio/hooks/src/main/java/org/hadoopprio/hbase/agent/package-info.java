// SPDX-License-Identifier: Apache-2.0
/** The part of the agent that hooks HBase. */
package org.hadoopprio.hbase.agent;
