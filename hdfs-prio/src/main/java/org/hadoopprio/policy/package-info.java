// SPDX-License-Identifier: Apache-2.0
/**
 * Who may ask for which priority: {@link org.hadoopprio.policy.PolicyReader} reads a policy file,
 * {@link org.hadoopprio.policy.AccessPolicy} decides, {@link org.hadoopprio.policy.Admission} is
 * the grant of one request. DataNode and RegionServer share this code; docs/policy.md describes the
 * file.
 */
package org.hadoopprio.policy;
