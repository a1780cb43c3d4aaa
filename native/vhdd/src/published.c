#include "published.h"

#define MS 1000000

const char *const vhdd_published_presets[VHDD_PUBLISHED_DRIVES] = {"sdc21", "cdltools23"};

enum load_id {
	QD1,
	QD3,
	QD32,
	PRIO_20,
	PRIO_30,
	PRIO_40,
	CDL_30,
	CDL_40,
	FOREGROUND_NCQ,
	FOREGROUND_PRIO,
	FOREGROUND_4K_NCQ,
	FOREGROUND_4K_PRIO,
	TB22_QD1,
	TB22_QD4,
	TB22_QD16,
	TB22_QD32,
	TB22_50_MS,
	TB22_TWO_QD4,
	TB22_TWO_QD8,
	TB22_TWO_QD32,
	LOADS,
};

/* The host has no class-aware scheduler in any of them: the published setups compare drives. */
static const struct vhdd_load loads[LOADS] = {
	[QD1] = {VHDD_DRIVE_SDC21, 131072, 1, 0, VHDD_MODE_NCQ, {{0}}},
	[QD3] = {VHDD_DRIVE_SDC21, 131072, 3, 0, VHDD_MODE_NCQ, {{0}}},
	[QD32] = {VHDD_DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_NCQ, {{0}}},
	[PRIO_20] = {VHDD_DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_PRIO, {{.share = 0.2}}},
	[PRIO_30] = {VHDD_DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_PRIO, {{.share = 0.3}}},
	[PRIO_40] = {VHDD_DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_PRIO, {{.share = 0.4}}},
	[CDL_30] = {VHDD_DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_CDL, {{0.1, 100 * MS}, {0.2, 200 * MS}}},
	/* The shares of the three limits are not stated; these are the row above and 10 % at the talk's 30 ms. */
	[CDL_40] = {VHDD_DRIVE_SDC21, 131072, 32, 0, VHDD_MODE_CDL,
		    {{0.1, 30 * MS}, {0.1, 100 * MS}, {0.2, 200 * MS}}},
	[FOREGROUND_NCQ] = {VHDD_DRIVE_SDC21, 131072, 32, 1, VHDD_MODE_NCQ, {{0}}},
	[FOREGROUND_PRIO] = {VHDD_DRIVE_SDC21, 131072, 32, 1, VHDD_MODE_PRIO, {{0}}},
	[FOREGROUND_4K_NCQ] = {VHDD_DRIVE_SDC21, 4096, 32, 1, VHDD_MODE_NCQ, {{0}}},
	[FOREGROUND_4K_PRIO] = {VHDD_DRIVE_SDC21, 4096, 32, 1, VHDD_MODE_PRIO, {{0}}},
	[TB22_QD1] = {VHDD_DRIVE_CDLTOOLS23, 131072, 1, 0, VHDD_MODE_CDL, {{0}}},
	[TB22_QD4] = {VHDD_DRIVE_CDLTOOLS23, 131072, 4, 0, VHDD_MODE_CDL, {{0}}},
	[TB22_QD16] = {VHDD_DRIVE_CDLTOOLS23, 131072, 16, 0, VHDD_MODE_CDL, {{0}}},
	[TB22_QD32] = {VHDD_DRIVE_CDLTOOLS23, 131072, 32, 0, VHDD_MODE_CDL, {{0}}},
	[TB22_50_MS] = {VHDD_DRIVE_CDLTOOLS23, 131072, 32, 0, VHDD_MODE_CDL, {{0.2, 50 * MS}}},
	[TB22_TWO_QD4] = {VHDD_DRIVE_CDLTOOLS23, 131072, 4, 0, VHDD_MODE_CDL,
			    {{0.1, 100 * MS}, {0.2, 300 * MS}}},
	[TB22_TWO_QD8] = {VHDD_DRIVE_CDLTOOLS23, 131072, 8, 0, VHDD_MODE_CDL,
			    {{0.1, 100 * MS}, {0.2, 300 * MS}}},
	[TB22_TWO_QD32] = {VHDD_DRIVE_CDLTOOLS23, 131072, 32, 0, VHDD_MODE_CDL,
			     {{0.1, 100 * MS}, {0.2, 300 * MS}}},
};

static const char sdc21[] = "SNIA SDC 2021, Command Duration Limits in Linux";
static const char ioprio17[] = "HotStorage 2017, IOPriority: To The Device and Beyond";
static const char linux16[] = "linux-block 2016-10-17, Enabling ATA Command Priorities (Ultrastar He8)";
static const char cdltools23[] = "cdl-tools 2023, README.md and benchmark/ (a drive of 22 TB)";

#define ALL VHDD_SIM_CLASSES
#define REST VHDD_SIM_BACKGROUND
#define HIGH VHDD_SIM_HIGH
#define HIGH2 (VHDD_SIM_HIGH + 1)
#define FOREGROUND VHDD_SIM_FOREGROUND

static const struct vhdd_published table[] = {
	{sdc21, "128 KiB random reads, QD1", QD1, VHDD_METRIC_IOPS, ALL, 81, 0.08, true, 0, 0},
	{sdc21, "128 KiB random reads, QD3", QD3, VHDD_METRIC_IOPS, ALL, 110, 0.08, true, 0, 0},
	{sdc21, "128 KiB random reads, QD32", QD32, VHDD_METRIC_IOPS, ALL, 188, 0.08, true, 0, 0},
	{sdc21, "128 KiB random reads, QD32, p99", QD32, VHDD_METRIC_P99, REST, 575, 0.10, true, 0, 0},
	{sdc21, "NCQ priority, 20 % high", PRIO_20, VHDD_METRIC_IOPS, ALL, 156, 0.08, true, 0, 0},
	/* From both sides: a drive that always puts class RT first would be too kind to it. */
	{sdc21, "NCQ priority, 20 % high, p99 of high", PRIO_20, VHDD_METRIC_P99, HIGH, 50, 0.10, true,
	 0, 0},
	{sdc21, "NCQ priority, 30 % high", PRIO_30, VHDD_METRIC_IOPS, ALL, 159, 0.08, false, 0, 0},
	{sdc21, "NCQ priority, 40 % high", PRIO_40, VHDD_METRIC_IOPS, ALL, 158, 0.08, false, 0, 0},
	{sdc21, "CDL, 30 % with a limit", CDL_30, VHDD_METRIC_IOPS, ALL, 165, 0.08, true, 0, 0},
	{sdc21, "CDL, 40 % with one of three limits", CDL_40, VHDD_METRIC_IOPS, ALL, 165, 0.08, false, 0,
	 0},
	{ioprio17, "QD1 beside QD32, no drive priority, p99.99", FOREGROUND_NCQ, VHDD_METRIC_P9999,
	 FOREGROUND, 1400, 0.10, false, 0, 0},
	{ioprio17, "QD1 RT beside QD32, drive priority, p99.99", FOREGROUND_PRIO, VHDD_METRIC_P9999,
	 FOREGROUND, 81, 0.10, false, 0, 0},
	{ioprio17, "the same, p99.99 without by with (at least 10x)", FOREGROUND_PRIO,
	 VHDD_METRIC_P9999_GAIN, FOREGROUND, 1400.0 / 81, 0, true, FOREGROUND_NCQ, 10},
	{linux16, "4 KiB QD1 beside QD32, no drive priority, p99.99", FOREGROUND_4K_NCQ,
	 VHDD_METRIC_P9999, FOREGROUND, 2000, 0.10, false, 0, 0},
	{linux16, "4 KiB QD1 RT beside QD32, drive priority, p99.99", FOREGROUND_4K_PRIO,
	 VHDD_METRIC_P9999, FOREGROUND, 72, 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD1", TB22_QD1, VHDD_METRIC_IOPS, ALL, 82, 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD4", TB22_QD4, VHDD_METRIC_IOPS, ALL, 97, 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD4, p99", TB22_QD4, VHDD_METRIC_P99, REST, 65, 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD16", TB22_QD16, VHDD_METRIC_IOPS, ALL, 141, 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD16, p99", TB22_QD16, VHDD_METRIC_P99, REST, 185, 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD32", TB22_QD32, VHDD_METRIC_IOPS, ALL, 165, 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD32, p99", TB22_QD32, VHDD_METRIC_P99, REST, 323, 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD32, 20 % at 50 ms", TB22_50_MS, VHDD_METRIC_IOPS, ALL, 154, 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD32, 20 % at 50 ms: mean of these", TB22_50_MS, VHDD_METRIC_MEAN, HIGH, 34, 0.10,
	 false, 0, 0},
	{cdltools23, "22 TB, QD32, 20 % at 50 ms: p99 of these", TB22_50_MS, VHDD_METRIC_P99, HIGH, 68.7, 0.10,
	 true, 0, 0},
	{cdltools23, "22 TB, QD32, 20 % at 50 ms: p99.99 of these", TB22_50_MS, VHDD_METRIC_P9999, HIGH, 88.6,
	 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD32, 20 % at 50 ms: p99 of the rest", TB22_50_MS, VHDD_METRIC_P99, REST, 435,
	 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD4, 10 % at 100 ms, 20 % at 300 ms: p99 at 100 ms", TB22_TWO_QD4,
	 VHDD_METRIC_P99, HIGH, 92, 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD4, the same: p99 at 300 ms", TB22_TWO_QD4, VHDD_METRIC_P99, HIGH2, 281, 0.10,
	 true, 0, 0},
	{cdltools23, "22 TB, QD8, the same: p99 at 100 ms", TB22_TWO_QD8, VHDD_METRIC_P99, HIGH, 98, 0.10,
	 false, 0, 0},
	{cdltools23, "22 TB, QD8, the same: p99 at 300 ms", TB22_TWO_QD8, VHDD_METRIC_P99, HIGH2, 293,
	 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD8, the same: p99 of the rest", TB22_TWO_QD8, VHDD_METRIC_P99, REST, 82,
	 0.10, false, 0, 0},
	{cdltools23, "22 TB, QD32, the same: p99 at 100 ms", TB22_TWO_QD32, VHDD_METRIC_P99, HIGH, 107, 0.10,
	 false, 0, 0},
	{cdltools23, "22 TB, QD32, the same: p99 at 300 ms", TB22_TWO_QD32, VHDD_METRIC_P99, HIGH2, 302, 0.10,
	 false, 0, 0},
	{cdltools23, "22 TB, QD32, the same: p99 of the rest", TB22_TWO_QD32, VHDD_METRIC_P99, REST, 369, 0.10,
	 false, 0, 0},
};

const struct vhdd_load *vhdd_published_loads(size_t *count)
{
	*count = LOADS;
	return loads;
}

const struct vhdd_published *vhdd_published_rows(size_t *count)
{
	*count = sizeof(table) / sizeof(table[0]);
	return table;
}
