// SPDX-License-Identifier: Apache-2.0
/** Where the JVM enters the agent, and of what it is put together. */
package org.hadoopprio.premain;
