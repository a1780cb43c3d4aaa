// SPDX-License-Identifier: Apache-2.0
/**
 * What the commands share: a node's files and daemons as they see them, and the report of what they
 * find. It knows nothing of any command.
 */
package org.hadoopprio.tools.node;
