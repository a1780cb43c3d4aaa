/**
 * The Java agent. {@link org.hadoopprio.agent.PriorityAgent} starts it, {@code HookModules} lists
 * what is hooked, {@code HookCheck} compares it with the classes at hand, {@code Weaver} weaves
 * what fits.
 */
package org.hadoopprio.agent;
