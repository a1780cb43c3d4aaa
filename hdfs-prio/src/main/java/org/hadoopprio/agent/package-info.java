/**
 * The Java agent. {@link org.hadoopprio.agent.PriorityAgent} starts it, {@code HookModules} lists
 * the modules of hooks, {@code HookCheck} compares them with the classes on the class path, {@code
 * Weaver} weaves the modules that fit.
 */
package org.hadoopprio.agent;
