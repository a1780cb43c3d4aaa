// SPDX-License-Identifier: Apache-2.0
/** The configuration keys of the HBase part. */
package org.hadoopprio.hbase.config;
