/** What an operator has switched off, of a process that runs. Knows no other part of the agent. */
package org.hadoopprio.off;
