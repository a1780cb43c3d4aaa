// SPDX-License-Identifier: Apache-2.0
#include "plausible.h"

#include <string.h>

#define ONLY_PRIO "mode prio only; "

static const struct vhdd_plausible table[] = {
	{"size_bytes", NULL, NULL, "the places of a load are drawn from it, whatever its size"},
	{"rpm", NULL, NULL, "the drive is one of 7200 rpm; manuals give 0.2 %"},
	{"seek_min_ns", "0.4ms", "1.5ms",
	 "low: about the 0.5 ms of the drive of 22 TB (manuals have down to 0.23); high: assumed"},
	{"seek_avg_ns", "5.8ms", "8.2ms seek_max_ns=16ms",
	 "low: assumed; high: the manual of Ultrastar 7K4000, with a full stroke that fits it"},
	{"seek_max_ns", "11.7ms", "16ms", "assumed: about what fits the average"},
	{"stroke", "0.25", "1", "a disk that is a quarter full, and a full one"},
	{"zones", "8", "64", "assumed"},
	{"track_outer_bytes", "1.6MB", "2.7MB",
	 "175 MB/s of Constellation ES.3 (manual), 292 of Exos M 30 TB (StorageReview 2025)"},
	{"track_inner_bytes", "0.78MB", "1.3MB",
	 "83 MB/s of Constellation ES.3 (manual), half of what the fastest drive has outside"},
	{"track_switch_ns", "0.5ms", "1.5ms", "assumed: half as much either way"},
	{"write_settle_ns", "0.1ms", "0.8ms",
	 "seeks to write less those to read, manual of Ultrastar DC HC310: next track, average"},
	{"overhead_ns", "50us", "300us", "assumed; 0.2 ms in the manual of Deskstar 7K3000"},
	{"path_ns", "5us", "50us", "assumed"},
	{"media_overhead_ns", "0", "700us", "assumed: nothing, and twice the preset"},
	{"interface_bytes_per_s", "270MB", "1100MB", "SATA of 3 Gb/s, SAS of 12 Gb/s"},
	{"readahead_bytes", "256KiB", "8MiB", "assumed: an eighth of and four times the preset"},
	{"min_prefetch_bytes", "256KiB", "1MiB",
	 "not published; T10's caching page has a minimum pre-fetch (SBC-4), a drive need not keep to it"},
	{"segments", "1", "128", "one, and as many as manuals of Ultrastar and Deskstar name"},
	{"write_cache_bytes", "0", "256MiB", "off, and about the buffer of a large drive"},
	{"write_cache_stretches", "100", "1600", "assumed: a quarter of and four times the preset"},
	{"mode", NULL, NULL, "a result is of one mode"},
	{"transport", NULL, NULL, "of commands that a duration limit has ended only"},
	{"recovery_ns", NULL, NULL, "of commands that a duration limit has ended only"},
	{"queue_window", "8", "32", "assumed; NCQ has 32 commands"},
	{"age_weight", "0", "0.0096", "low: the fit of the drive of 22 TB; high: twice the preset"},
	{"oldest_lead_ns", "0", "11ms", "the fits of the two drives"},
	{"max_age_ns", "750ms", "3s", "assumed: half and twice the preset"},
	{"prio_bonus_ns", "3.75ms", "1s",
	 ONLY_PRIO "half the preset, and a drive that always takes class RT first"},
	{"prio_age_weight", "0", "0.3", ONLY_PRIO "assumed: nothing, and twice the preset"},
	{"prio_max_age_ns", "1.5s", "6s", ONLY_PRIO "assumed: half and twice the preset"},
};

const struct vhdd_plausible *vhdd_plausible_find(const char *key)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(table[i].key, key) == 0)
			return &table[i];
	}
	return NULL;
}

static json_t *key_to_json(const struct vhdd_params *params, const struct vhdd_param_info *info)
{
	const struct vhdd_plausible *range = vhdd_plausible_find(info->key);
	char value[64];
	char allowed[200];
	json_t *object = json_pack(
		"{s:s, s:s, s:s, s:s}", "key", info->key, "value",
		vhdd_param_value(params, info, value, sizeof(value)), "allowed",
		vhdd_param_allowed(info, allowed, sizeof(allowed)), "description", info->description);

	if (object == NULL || range == NULL)
		return object;
	json_object_set_new(object, "why", json_string(range->why));
	if (range->low != NULL) {
		json_object_set_new(object, "low", json_string(range->low));
		json_object_set_new(object, "high", json_string(range->high));
	}
	return object;
}

json_t *vhdd_plausible_to_json(const struct vhdd_params *params)
{
	size_t count;
	const struct vhdd_param_info *info = vhdd_params_table(&count);
	json_t *keys = json_array();

	for (size_t i = 0; i < count && keys != NULL; i++) {
		if (json_array_append_new(keys, key_to_json(params, &info[i])) != 0) {
			json_decref(keys);
			keys = NULL;
		}
	}
	return keys;
}
