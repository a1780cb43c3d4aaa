/**
 * Who may ask for what: {@link org.hadoopprio.policy.PolicyReader} reads a policy file, {@link
 * org.hadoopprio.policy.AccessPolicy} decides, {@link org.hadoopprio.policy.Admission} is what one
 * request was given. DataNode and RegionServer share it; docs/policy.md describes the file.
 */
package org.hadoopprio.policy;
