// SPDX-License-Identifier: Apache-2.0
/** What reads and writes of a daemon are done for. */
package org.hadoopprio.role;
