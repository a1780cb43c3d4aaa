/**
 * The experiment {@code bench device}: a virtual hard disk under fio, beside published drives. It
 * begins with {@link org.hadoopprio.bench.device.DeviceExperiment}.
 */
package org.hadoopprio.bench.device;
