/** Between the agent's hooks on an RPC server and whoever knows its calls' priorities. */
package org.hadoopprio.rpc;
