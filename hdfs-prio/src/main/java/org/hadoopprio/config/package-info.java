// SPDX-License-Identifier: Apache-2.0
/** The type of a configuration key; docs/configuration.md is generated from all keys. */
package org.hadoopprio.config;
