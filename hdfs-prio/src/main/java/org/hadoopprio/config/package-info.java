/** The type of a configuration key; docs/configuration.md is generated from all keys. */
package org.hadoopprio.config;
