// SPDX-License-Identifier: Apache-2.0
/**
 * What the hooks in HBase delegate to. {@code hbase-prio} installs in it what it knows of calls and
 * roles; without that, as in a client, the hooks do nothing.
 */
package org.hadoopprio.hbase.delegate;
