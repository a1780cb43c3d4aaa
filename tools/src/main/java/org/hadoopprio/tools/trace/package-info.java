// SPDX-License-Identifier: Apache-2.0
/** The requests of the kernel's block layer, from its tracing file system. */
package org.hadoopprio.tools.trace;
