// SPDX-License-Identifier: Apache-2.0
/** The I/O priority, and the scope that states it. */
package org.hadoopprio;
