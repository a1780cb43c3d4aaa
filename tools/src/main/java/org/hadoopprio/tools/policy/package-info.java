// SPDX-License-Identifier: Apache-2.0
/** {@code hprio policy}: what a policy file grants, and to whom. */
package org.hadoopprio.tools.policy;
