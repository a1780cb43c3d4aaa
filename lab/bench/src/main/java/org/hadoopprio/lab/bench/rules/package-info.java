// SPDX-License-Identifier: Apache-2.0
/** What each rule of the DataNode's scheduler is for, found by taking it away. */
package org.hadoopprio.lab.bench.rules;
