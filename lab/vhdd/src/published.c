// SPDX-License-Identifier: Apache-2.0
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
	STREAM_OUTERMOST,
	STREAM_INNERMOST,
	STREAM_READS,
	STREAM_WRITES,
	READS_4K,
	WRITES_4K,
	WRITES_4K_QD1,
	STREAMS_16,
	STREAMS_16_BESIDE_READS,
	READS_BESIDE_WRITES,
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
	/* One read at a time: what the drive reads ahead makes it the rate of the media. */
	[STREAM_OUTERMOST] = {.request_bytes = 131072, .background = 1, .places = VHDD_SIM_ONE_STREAM,
			      .part = VHDD_DISK_OUTERMOST},
	[STREAM_INNERMOST] = {.request_bytes = 131072, .background = 1, .places = VHDD_SIM_ONE_STREAM,
			      .part = VHDD_DISK_INNERMOST},
	[STREAM_READS] = {.request_bytes = 131072, .background = 64, .places = VHDD_SIM_ONE_STREAM,
			  .part = VHDD_DISK_OUTERMOST},
	[STREAM_WRITES] = {.request_bytes = 131072, .background = 64, .places = VHDD_SIM_ONE_STREAM,
			   .part = VHDD_DISK_OUTERMOST, .write = true},
	[READS_4K] = {.request_bytes = 4096, .background = 32},
	[WRITES_4K] = {.request_bytes = 4096, .background = 32, .write = true},
	[WRITES_4K_QD1] = {.request_bytes = 4096, .background = 1, .write = true, .fua = true},
	[STREAMS_16] = {.request_bytes = 131072, .background = 16, .places = VHDD_SIM_STREAMS},
	[STREAMS_16_BESIDE_READS] = {.request_bytes = 131072, .background = 16,
				     .places = VHDD_SIM_STREAMS, .foreground_rate = 18,
				     .most_samples = 10000},
	[READS_BESIDE_WRITES] = {.request_bytes = 131072, .background = 16, .foreground_rate = 18,
				 .write = true, .most_samples = 10000},
};

static const char sdc21[] = "SNIA SDC 2021, Command Duration Limits in Linux";
static const char ioprio17[] = "HotStorage 2017, IOPriority: To The Device and Beyond";
static const char linux16[] = "linux-block 2016-10-17, Enabling ATA Command Priorities (Ultrastar He8)";
static const char cdltools23[] = "cdl-tools 2023, README.md and benchmark/ (a drive of 22 TB)";

static const char es3[] = "Seagate, Constellation ES.3 SAS product manual, rev. B, 4.1.2 (4 TB)";
static const char exos_m[] = "StorageReview 2025, Seagate Exos M 30 TB (FIO; six drives: 268 to 292 MB/s, 198 to 214 IOPS)";
static const char ultrastar[] = "Server Fault 857271 (2017), Ultrastar 7K6000 4 TB (fio, each write synced)";
static const char nobody[] =
	"no numbers for a drive that is named: manuals have none, and reviews and papers only curves";

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
	/* These drives have more or fewer bytes on a track than the model: the ratios are what counts. */
	{es3, "stream of reads, outermost tracks", STREAM_OUTERMOST, VHDD_METRIC_RATE, REST, 175, 0.10,
	 false, 0, 0},
	{es3, "stream of reads, innermost tracks", STREAM_INNERMOST, VHDD_METRIC_RATE, REST, 83, 0.10,
	 false, 0, 0},
	{es3, "the same, innermost by outermost", STREAM_INNERMOST, VHDD_METRIC_RATE_RATIO, REST,
	 83.0 / 175, 0.10, true, STREAM_OUTERMOST, 0},
	{exos_m, "stream of 128 KiB reads, QD64", STREAM_READS, VHDD_METRIC_RATE, REST, 292, 0.10, false,
	 0, 0},
	{exos_m, "stream of 128 KiB writes, QD64", STREAM_WRITES, VHDD_METRIC_RATE, REST, 289, 0.10,
	 false, 0, 0},
	{exos_m, "the same, writes by reads", STREAM_WRITES, VHDD_METRIC_RATE_RATIO, REST, 289.0 / 292,
	 0.10, true, STREAM_READS, 0},
	{exos_m, "4 KiB random reads, QD32 at the drive", READS_4K, VHDD_METRIC_IOPS, ALL, 205, 0.10,
	 false, 0, 0},
	/* It has a write cache, and a media cache besides. */
	{exos_m, "4 KiB random writes, QD32 at the drive", WRITES_4K, VHDD_METRIC_IOPS, ALL, 341, 0.10,
	 false, 0, 0},
	{ultrastar, "4 KiB random writes, QD1", WRITES_4K_QD1, VHDD_METRIC_IOPS, ALL, 96, 0.10, false, 0,
	 0},
	{ultrastar, "4 KiB random writes, QD1, mean", WRITES_4K_QD1, VHDD_METRIC_MEAN, REST, 10.3, 0.10,
	 false, 0, 0},
	{nobody, "16 streams of 128 KiB reads", STREAMS_16, VHDD_METRIC_RATE, REST, 0, 0, false, 0, 0},
	{nobody, "16 streams beside 18 random reads a second", STREAMS_16_BESIDE_READS,
	 VHDD_METRIC_RATE, REST, 0, 0, false, 0, 0},
	{nobody, "the same, p99 of the random reads", STREAMS_16_BESIDE_READS, VHDD_METRIC_P99,
	 FOREGROUND, 0, 0, false, 0, 0},
	{nobody, "18 random reads a second beside random writes, QD16, p99", READS_BESIDE_WRITES,
	 VHDD_METRIC_P99, FOREGROUND, 0, 0, false, 0, 0},
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

const char *vhdd_published_hole(const struct vhdd_published *row, size_t loads)
{
	if (row->source == NULL || row->source[0] == '\0')
		return "no source; allowed is a text";
	if (row->what == NULL || row->what[0] == '\0')
		return "no name; allowed is a text";
	if (row->load >= loads || row->baseline >= loads)
		return "no such load";
	if (!(row->value >= 0) || !(row->tolerance >= 0) || !(row->floor >= 0))
		return "its number, tolerance or floor is none; allowed is 0 or more";
	if (row->value == 0 && (row->gated || row->tolerance != 0 || row->floor != 0))
		return "no number, but it is to be reproduced; allowed is a number above 0";
	if (row->value != 0 && row->tolerance == 0 && row->floor == 0)
		return "no tolerance and no floor; allowed is one above 0";
	return NULL;
}
