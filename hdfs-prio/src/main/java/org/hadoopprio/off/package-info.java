// SPDX-License-Identifier: Apache-2.0
/** What an operator has switched off, of a process that runs; all other parts ask. */
package org.hadoopprio.off;
