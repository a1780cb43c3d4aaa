// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment on owners: which part of what a busy cluster's disks are asked for belongs to
 * somebody who is known by its priority. {@link org.hadoopprio.lab.bench.owners.OwnersExperiment}
 * is the entry, {@code Owner} the map of priorities.
 */
package org.hadoopprio.lab.bench.owners;
