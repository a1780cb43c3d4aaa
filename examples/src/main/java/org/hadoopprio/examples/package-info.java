// SPDX-License-Identifier: Apache-2.0
/** Small clients to start from. Each class has a {@code main} method. */
package org.hadoopprio.examples;
