// SPDX-License-Identifier: Apache-2.0
/** The progress of long runs. */
package org.hadoopprio.lab.progress;
