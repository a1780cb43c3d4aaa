// SPDX-License-Identifier: Apache-2.0
/**
 * The Java agent. {@link org.hadoopprio.agent.PriorityAgent} starts it, {@code HdfsModules} lists
 * the modules of hooks in Hadoop, {@code HookCheck} compares them with the classes on the class
 * path, {@code Weaver} weaves the modules that fit. {@code HookFit} compares them with the classes
 * of another version.
 */
package org.hadoopprio.agent;
