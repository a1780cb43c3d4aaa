// SPDX-License-Identifier: Apache-2.0
/** Logging for all parts: hops of a request, and warnings at a bounded rate. */
package org.hadoopprio.log;
