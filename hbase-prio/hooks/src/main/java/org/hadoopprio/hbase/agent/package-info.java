/** The part of the agent that hooks HBase. */
package org.hadoopprio.hbase.agent;
