// SPDX-License-Identifier: Apache-2.0
/**
 * The interface to the kernel: ioprio_set(2) and ioprio_get(2) for the calling thread, the page
 * cache, the block device of a directory.
 */
package org.hadoopprio.linux;
