/** Typed configuration keys; docs/configuration.md is generated from them. */
package org.hadoopprio.config;
