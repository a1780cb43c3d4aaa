// SPDX-License-Identifier: Apache-2.0
/** Where DataNodes keep their blocks, and what a trace must know of the device below. */
package org.hadoopprio.lab.disk;
