/**
 * Connects the agent's hooks on an RPC server with the code that knows the priorities of its calls.
 */
package org.hadoopprio.rpc;
