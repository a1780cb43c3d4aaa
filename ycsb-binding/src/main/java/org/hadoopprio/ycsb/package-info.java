// SPDX-License-Identifier: Apache-2.0
/** A YCSB binding for the HBase 2 client whose operations carry an I/O priority. */
package org.hadoopprio.ycsb;
