// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment {@code bench device}: a virtual hard disk under fio, beside published drives. It
 * begins with {@link org.hadoopprio.lab.bench.device.DeviceExperiment}.
 */
package org.hadoopprio.lab.bench.device;
