// SPDX-License-Identifier: Apache-2.0
#include "params.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KIB 1024.0
#define MIB (1024.0 * KIB)
#define GIB (1024.0 * MIB)
#define TIB (1024.0 * GIB)
#define US 1e3
#define MS 1e6
#define SEC 1e9

struct unit {
	const char *name;
	double factor;
};

static const struct unit byte_units[] = {
	{"", 1},   {"B", 1},    {"kB", 1e3}, {"KiB", KIB}, {"MB", 1e6},
	{"MiB", MIB}, {"GB", 1e9}, {"GiB", GIB}, {"TB", 1e12}, {"TiB", TIB},
	{NULL, 0},
};

static const struct unit time_units[] = {
	{"", 1}, {"ns", 1}, {"us", US}, {"ms", MS}, {"s", SEC}, {NULL, 0},
};

static const struct unit no_units[] = {
	{"", 1}, {NULL, 0},
};

/* A value that has a name instead of a number. */
struct choice {
	const char *name;
	int value;
};

static const struct choice modes[] = {
	{"ncq", VHDD_MODE_NCQ},
	{"prio", VHDD_MODE_PRIO},
	{"cdl", VHDD_MODE_CDL},
	{NULL, 0},
};

static const struct choice transports[] = {
	{"sata", VHDD_TRANSPORT_SATA},
	{"sas", VHDD_TRANSPORT_SAS},
	{NULL, 0},
};

static const struct choice limit_policies[] = {
	{"complete-earliest", VHDD_CDL_EARLIEST},
	{"complete-unavailable", VHDD_CDL_UNAVAILABLE},
	{NULL, 0},
};

static const struct choice guideline_policies[] = {
	{"complete-earliest", VHDD_CDL_EARLIEST},
	{"continue-next-limit", VHDD_CDL_NEXT},
	{"continue-no-limit", VHDD_CDL_NO_LIMIT},
	{"complete-unavailable", VHDD_CDL_UNAVAILABLE},
	{NULL, 0},
};

#define PARAM(field, kind, low, high, change, text)                                       \
	{.key = #field, .type = VHDD_PARAM_##kind, .min = (low), .max = (high),           \
	 .live = (change), .description = (text), .offset = offsetof(struct vhdd_params, field)}

#define CDL_TIME(number, limit, text)                                                     \
	{.key = "cdl" #number "_" #limit "_ns", .type = VHDD_PARAM_DURATION, .min = 0,    \
	 .max = 3600 * SEC, .live = true,                                                 \
	 .description = "mode cdl, descriptor " #number ": " text ", 0: no limit",        \
	 .offset = offsetof(struct vhdd_params, cdl[(number) - 1].limit.ns)}

#define CDL_POLICY(number, limit, kind)                                                   \
	{.key = "cdl" #number "_" #limit "_policy", .type = VHDD_PARAM_##kind##_POLICY,   \
	 .live = true,                                                                    \
	 .description = "mode cdl, descriptor " #number                                   \
			": what becomes of a command that exceeds it",                    \
	 .offset = offsetof(struct vhdd_params, cdl[(number) - 1].limit.policy)}

/* The last descriptor cannot pass a command on (SPC-6, 7.5.11.2), so its guideline has a limit's policies. */
#define CDL_DESCRIPTOR(number, guideline_kind)                                            \
	CDL_TIME(number, inactive, "most time until the drive begins with a command"),    \
	CDL_POLICY(number, inactive, LIMIT),                                              \
	CDL_TIME(number, active, "most time from then until the answer"),                 \
	CDL_POLICY(number, active, LIMIT),                                                \
	CDL_TIME(number, guideline, "target for the whole, on top of the fastest read"),  \
	CDL_POLICY(number, guideline, guideline_kind)

static const struct vhdd_param_info table[] = {
	PARAM(size_bytes, BYTES, MIB, 100 * TIB, false, "size of the disk, a multiple of 512"),
	PARAM(rpm, NUMBER, 1000, 30000, false, "revolutions per minute"),
	PARAM(seek_min_ns, DURATION, 0, 100 * MS, false, "seek to the next track"),
	PARAM(seek_avg_ns, DURATION, 0, 100 * MS, false, "mean seek over random positions"),
	PARAM(seek_max_ns, DURATION, 0, 100 * MS, false, "seek over the full stroke"),
	PARAM(stroke, NUMBER, 1e-6, 1, false,
	      "share of the full stroke that the disk's bytes span"),
	PARAM(zones, COUNT, 1, 256, false, "zones of equal numbers of tracks"),
	PARAM(track_outer_bytes, BYTES, 4 * KIB, GIB, false, "bytes on an outermost track"),
	PARAM(track_inner_bytes, BYTES, 4 * KIB, GIB, false, "bytes on an innermost track"),
	PARAM(track_switch_ns, DURATION, 0, 100 * MS, false,
	      "time a transfer loses at a track's end"),
	PARAM(write_settle_ns, DURATION, 0, 100 * MS, false, "added to the seek of a write"),
	PARAM(path_ns, DURATION, 0, MS, true,
	      "from the block layer's issue of a command until the drive has it"),
	PARAM(overhead_ns, DURATION, 0, 3600 * SEC, true,
	      "from a command's arrival until it can start: great for a slow drive, or one that hangs"),
	PARAM(media_overhead_ns, DURATION, 0, 100 * MS, true,
	      "more for a command that is not served from the buffer"),
	PARAM(interface_bytes_per_s, RATE, 1e6, 1e11, false, "rate of answers from the buffer"),
	PARAM(readahead_bytes, BYTES, 0, GIB, false,
	      "how far the drive reads on after a read, 0: off"),
	PARAM(min_prefetch_bytes, BYTES, 0, GIB, false,
	      "how much of that it reads also while commands wait, 0: it leaves at once"),
	PARAM(segments, COUNT, 0, 256, false, "past reads whose data the buffer keeps"),
	PARAM(write_cache_bytes, BYTES, 0, GIB, false,
	      "data that the write cache holds, 0: off (write through)"),
	PARAM(write_cache_stretches, COUNT, 1, 4096, false,
	      "separate stretches of the disk whose data the write cache holds"),
	PARAM(mode, MODE, 0, 0, true, "how the drive chooses among queued commands"),
	PARAM(queue_window, COUNT, 1, 4096, true, "oldest commands that the drive looks at"),
	PARAM(age_weight, NUMBER, 0, 10, true,
	      "seconds of positioning that a second of age is worth"),
	PARAM(oldest_lead_ns, DURATION, 0, SEC, true,
	      "positioning time by which the oldest command is ahead of a new one"),
	PARAM(max_age_ns, DURATION, MS, 3600 * SEC, true,
	      "modes ncq and cdl: an older command goes first"),
	PARAM(prio_bonus_ns, DURATION, 0, SEC, true,
	      "mode prio: positioning time that putting class RT first may cost"),
	PARAM(prio_age_weight, NUMBER, 0, 10, true,
	      "mode prio: by how much the lead of class RT grows with age"),
	PARAM(prio_max_age_ns, DURATION, MS, 3600 * SEC, true,
	      "mode prio: an older command goes first"),
	CDL_DESCRIPTOR(1, GUIDELINE),
	CDL_DESCRIPTOR(2, GUIDELINE),
	CDL_DESCRIPTOR(3, GUIDELINE),
	CDL_DESCRIPTOR(4, GUIDELINE),
	CDL_DESCRIPTOR(5, GUIDELINE),
	CDL_DESCRIPTOR(6, GUIDELINE),
	CDL_DESCRIPTOR(7, LIMIT),
	PARAM(cdl_gain_ns, DURATION, 0, 10 * SEC, true,
	      "mode cdl: positioning time by which a command is ahead when its guideline comes"),
	PARAM(cdl_slack_weight, NUMBER, 0, 10, true,
	      "mode cdl: seconds by which it is less ahead for each second until its guideline"),
	PARAM(cdl_rt_hint, COUNT, 0, VHDD_CDL_DESCRIPTORS, true,
	      "mode cdl: hint of class RT without a hint, 0: none"),
	PARAM(transport, TRANSPORT, 0, 0, true,
	      "mode cdl: when a command fails that the drive gives up: at once (sas), or when the drive "
	      "holds no other, and takes no new one until then (sata)"),
	PARAM(recovery_ns, DURATION, 0, 10 * SEC, true,
	      "transport sata: how long the drive is still closed then: the host reads a log"),
};

#define KEYS (sizeof(table) / sizeof(table[0]))

/* The descriptors with which cdl-tools measures drives (benchmark/scripts/T2A.cdl); the seventh is empty. */
#define CDL_TOOLS_PAGE                                                                    \
	{{.guideline.ns = 50000000},  {.guideline.ns = 100000000},                        \
	 {.guideline.ns = 200000000}, {.guideline.ns = 300000000},                        \
	 {.guideline.ns = 400000000}, {.guideline.ns = 500000000}}

/*
 * A 7200 rpm near-line drive. Seek times and weights are fitted to the tables in command_calibrate.c, which
 * "vhdd calibrate" checks.
 *
 * The path is what Intel gave for a command through the kernel and an AHCI controller (6 us, "Testing SATA
 * Express", AnandTech 2014) and the transfer of the command, rounded up. The overheads are those of a data
 * sheet's queued reads: 0.2 ms until the first data from the buffer, of which the path and the transfer are a
 * part, and 0.5 ms until the seek begins (Deskstar 7K3000, specification 1.2, table 5).
 *
 * The write cache is on, as drives have it at power-on (SkyHawk AI, product manual, rev. E, 4.3.4), and as large
 * as the buffer of the Deskstar; how much of a buffer is for writes is not published. Its stretches are fitted to
 * the 4 KiB random writes of Exos M in published.c.
 */
static const struct vhdd_params sdc21 = {
	.size_bytes = 64ULL << 30,
	.rpm = 7200,
	.seek_min_ns = 1000000,
	.seek_avg_ns = 6600000,
	.seek_max_ns = 12200000,
	.stroke = 1,
	.zones = 16,
	.track_outer_bytes = 2000000,
	.track_inner_bytes = 1000000,
	.track_switch_ns = 1000000,
	.write_settle_ns = 400000,
	.path_ns = 10000,
	.overhead_ns = 150000,
	.media_overhead_ns = 350000,
	.interface_bytes_per_s = 550e6,
	.readahead_bytes = 2000000,
	.segments = 16,
	.write_cache_bytes = 64000000,
	.write_cache_stretches = 400,
	.mode = VHDD_MODE_NCQ,
	.queue_window = 32,
	.age_weight = 0.0048,
	.max_age_ns = 1500000000,
	.prio_bonus_ns = 7500000,
	.prio_age_weight = 0.15,
	.prio_max_age_ns = 3000000000,
	.cdl = CDL_TOOLS_PAGE,
	.cdl_gain_ns = 8000000,
	.cdl_slack_weight = 0.03,
	.cdl_rt_hint = 0,
	.transport = VHDD_TRANSPORT_SATA,
	.recovery_ns = 2000000,
};

/*
 * A drive of 22 TB that cdl-tools measured. Its seek times and weights are fitted to those measurements;
 * all else, and with it mode prio, is the other drive's.
 */
static void make_cdltools23(struct vhdd_params *params)
{
	*params = sdc21;
	params->seek_min_ns = 500000;
	params->seek_avg_ns = 6700000;
	params->seek_max_ns = 14000000;
	params->age_weight = 0;
	params->oldest_lead_ns = 11000000;
	params->cdl_gain_ns = 12000000;
}

static const char *const preset_names[] = {"sdc21", "cdltools23", NULL};

const struct vhdd_param_info *vhdd_params_table(size_t *count)
{
	*count = KEYS;
	return table;
}

const struct vhdd_param_info *vhdd_params_find(const char *key)
{
	for (size_t i = 0; i < KEYS; i++) {
		if (strcmp(table[i].key, key) == 0)
			return &table[i];
	}
	return NULL;
}

/* What a key of this type accepts, ended by a NULL name; NULL: numbers. */
static const struct choice *choices_of(enum vhdd_param_type type)
{
	switch (type) {
	case VHDD_PARAM_MODE:
		return modes;
	case VHDD_PARAM_LIMIT_POLICY:
		return limit_policies;
	case VHDD_PARAM_GUIDELINE_POLICY:
		return guideline_policies;
	case VHDD_PARAM_TRANSPORT:
		return transports;
	default:
		return NULL;
	}
}

static const char *choice_name(const struct choice *choices, int value)
{
	for (; choices->name != NULL; choices++) {
		if (choices->value == value)
			return choices->name;
	}
	return "unknown";
}

const char *vhdd_mode_name(enum vhdd_mode mode)
{
	return choice_name(modes, (int)mode);
}

const char *const *vhdd_params_presets(void)
{
	return preset_names;
}

int vhdd_params_preset(struct vhdd_params *params, const char *name)
{
	if (strcmp(name, preset_names[0]) == 0)
		*params = sdc21;
	else if (strcmp(name, preset_names[1]) == 0)
		make_cdltools23(params);
	else
		return -EINVAL;
	return 0;
}

static const struct unit *units_of(enum vhdd_param_type type)
{
	switch (type) {
	case VHDD_PARAM_BYTES:
	case VHDD_PARAM_RATE:
		return byte_units;
	case VHDD_PARAM_DURATION:
		return time_units;
	default:
		return no_units;
	}
}

static bool is_whole(enum vhdd_param_type type)
{
	return type != VHDD_PARAM_RATE && type != VHDD_PARAM_NUMBER;
}

/* A number with an optional unit, and nothing before or after it. */
static bool parse_number(const char *text, const struct unit *units, double *number)
{
	char *end;

	/* strtod also takes blanks, signs, hexadecimal, "inf" and "nan". */
	if (!isdigit((unsigned char)text[0]) || strpbrk(text, "xX") != NULL)
		return false;
	errno = 0;
	double value = strtod(text, &end);
	if (errno != 0)
		return false;
	for (; units->name != NULL; units++) {
		if (strcmp(end, units->name) == 0) {
			*number = value * units->factor;
			return true;
		}
	}
	return false;
}

static bool parse_choice(const char *text, const struct choice *choices, int *value)
{
	for (; choices->name != NULL; choices++) {
		if (strcmp(text, choices->name) == 0) {
			*value = choices->value;
			return true;
		}
	}
	return false;
}

static double get_number(const struct vhdd_params *params, const struct vhdd_param_info *info)
{
	const void *field = (const char *)params + info->offset;

	switch (info->type) {
	case VHDD_PARAM_BYTES:
		return (double)*(const uint64_t *)field;
	case VHDD_PARAM_DURATION:
		return (double)*(const int64_t *)field;
	case VHDD_PARAM_COUNT:
		return *(const uint32_t *)field;
	case VHDD_PARAM_MODE:
		return *(const enum vhdd_mode *)field;
	case VHDD_PARAM_LIMIT_POLICY:
	case VHDD_PARAM_GUIDELINE_POLICY:
		return *(const enum vhdd_cdl_policy *)field;
	case VHDD_PARAM_TRANSPORT:
		return *(const enum vhdd_transport *)field;
	default:
		return *(const double *)field;
	}
}

static void put_number(struct vhdd_params *params, const struct vhdd_param_info *info,
		       double number)
{
	void *field = (char *)params + info->offset;

	switch (info->type) {
	case VHDD_PARAM_BYTES:
		*(uint64_t *)field = (uint64_t)number;
		break;
	case VHDD_PARAM_DURATION:
		*(int64_t *)field = (int64_t)number;
		break;
	case VHDD_PARAM_COUNT:
		*(uint32_t *)field = (uint32_t)number;
		break;
	case VHDD_PARAM_MODE:
		*(enum vhdd_mode *)field = (enum vhdd_mode)number;
		break;
	case VHDD_PARAM_LIMIT_POLICY:
	case VHDD_PARAM_GUIDELINE_POLICY:
		*(enum vhdd_cdl_policy *)field = (enum vhdd_cdl_policy)number;
		break;
	case VHDD_PARAM_TRANSPORT:
		*(enum vhdd_transport *)field = (enum vhdd_transport)number;
		break;
	default:
		*(double *)field = number;
	}
}

void vhdd_params_copy(struct vhdd_params *to, const struct vhdd_params *from,
		      const struct vhdd_param_info *info)
{
	put_number(to, info, get_number(from, info));
}

/* The number in the unit that gives the shortest text, which vhdd_params_set reads back. */
static void format_number(double number, const struct unit *units, char *text, size_t size)
{
	char best[48];

	snprintf(best, sizeof(best), "%.15g", number);
	for (const struct unit *unit = units; unit->name != NULL; unit++) {
		char candidate[48];
		if (number < unit->factor)
			continue;
		snprintf(candidate, sizeof(candidate), "%.15g%s", number / unit->factor, unit->name);
		if (strlen(candidate) < strlen(best))
			memcpy(best, candidate, sizeof(best));
	}
	snprintf(text, size, "%s", best);
}

const char *vhdd_param_value(const struct vhdd_params *params, const struct vhdd_param_info *info,
			     char *text, size_t size)
{
	double number = get_number(params, info);
	const struct choice *choices = choices_of(info->type);

	if (choices != NULL)
		snprintf(text, size, "%s", choice_name(choices, (int)number));
	else
		format_number(number, units_of(info->type), text, size);
	return text;
}

static void format_choices(const struct choice *choices, char *text, size_t size)
{
	const char *before = "one of ";
	size_t used = 0;

	for (; choices->name != NULL && used < size; choices++) {
		used += (size_t)snprintf(text + used, size - used, "%s%s", before, choices->name);
		before = ", ";
	}
}

const char *vhdd_param_allowed(const struct vhdd_param_info *info, char *text, size_t size)
{
	static const char *const nouns[] = {
		[VHDD_PARAM_BYTES] = "a size in bytes",
		[VHDD_PARAM_DURATION] = "a duration in ns",
		[VHDD_PARAM_RATE] = "a rate in bytes per second",
		[VHDD_PARAM_COUNT] = "a whole number",
		[VHDD_PARAM_NUMBER] = "a number",
	};
	static const char *const suffixes[] = {
		[VHDD_PARAM_BYTES] = " (units kB, MB, GB, TB, KiB, MiB, GiB, TiB)",
		[VHDD_PARAM_DURATION] = " (units ns, us, ms, s)",
		[VHDD_PARAM_RATE] = " (units kB, MB, GB, KiB, MiB, GiB)",
		[VHDD_PARAM_COUNT] = "",
		[VHDD_PARAM_NUMBER] = "",
	};
	const struct choice *choices = choices_of(info->type);
	char low[48];
	char high[48];

	if (choices != NULL) {
		format_choices(choices, text, size);
		return text;
	}
	format_number(info->min, units_of(info->type), low, sizeof(low));
	format_number(info->max, units_of(info->type), high, sizeof(high));
	snprintf(text, size, "%s from %s to %s%s", nouns[info->type], low, high,
		 suffixes[info->type]);
	return text;
}

/* Says why for a policy that drives have and this one does not. */
static int refuse(const struct vhdd_param_info *info, const char *value, char *error, size_t size)
{
	bool abort = choices_of(info->type) != NULL && strcmp(value, "abort") == 0;
	char allowed[200];

	snprintf(error, size, "%s=%s: allowed is %s%s", info->key, value,
		 vhdd_param_allowed(info, allowed, sizeof(allowed)),
		 abort ? "; abort also aborts all other queued commands of an ATA drive, and there is "
			 "no host here that would send them again"
		       : "");
	return -EINVAL;
}

int vhdd_params_set(struct vhdd_params *params, const char *key, const char *value, char *error,
		    size_t size)
{
	const struct vhdd_param_info *info = vhdd_params_find(key);
	double number;
	int choice;

	if (info == NULL) {
		size_t used = (size_t)snprintf(error, size, "%s=%s: unknown key; allowed are", key,
					       value);
		for (size_t i = 0; i < KEYS && used < size; i++)
			used += (size_t)snprintf(error + used, size - used, " %s", table[i].key);
		return -EINVAL;
	}
	if (choices_of(info->type) != NULL) {
		if (!parse_choice(value, choices_of(info->type), &choice))
			return refuse(info, value, error, size);
		put_number(params, info, choice);
		return 0;
	}
	if (!parse_number(value, units_of(info->type), &number))
		return refuse(info, value, error, size);
	/* "0.8ms" is not exact in binary: a whole number within rounding is meant as whole. */
	if (is_whole(info->type)) {
		double whole = nearbyint(number);
		if (fabs(number - whole) > 1e-9 * fmax(1, fabs(number)))
			return refuse(info, value, error, size);
		number = whole;
	}
	if (number < info->min || number > info->max)
		return refuse(info, value, error, size);
	put_number(params, info, number);
	return 0;
}

int vhdd_params_assign(struct vhdd_params *params, const char *assignment, char *error,
		       size_t size)
{
	char key[64];
	const char *equals = strchr(assignment, '=');
	size_t length = equals == NULL ? 0 : (size_t)(equals - assignment);

	if (length == 0 || length >= sizeof(key)) {
		snprintf(error, size, "%s: allowed is KEY=VALUE", assignment);
		return -EINVAL;
	}
	memcpy(key, assignment, length);
	key[length] = '\0';
	return vhdd_params_set(params, key, equals + 1, error, size);
}

int vhdd_params_check(const struct vhdd_params *params, char *error, size_t size)
{
	const struct vhdd_params *p = params;
	double range = (double)(p->seek_max_ns - p->seek_min_ns);
	double mean = (double)(p->seek_avg_ns - p->seek_min_ns);

	/*
	 * The curve t = min + b*sqrt(x) + c*x rises from min to max only if b and c are not
	 * negative; its mean is then between 1/3 and 8/15 of the way (see geometry.c).
	 */
	if (range < 0 || mean < range / 3 || mean > range * 8 / 15) {
		snprintf(error, size,
			 "seek_min_ns=%lld seek_avg_ns=%lld seek_max_ns=%lld: allowed is an average "
			 "between 1/3 and 8/15 of the way from the minimum to the maximum",
			 (long long)p->seek_min_ns, (long long)p->seek_avg_ns,
			 (long long)p->seek_max_ns);
		return -EINVAL;
	}
	if (p->track_outer_bytes < p->track_inner_bytes) {
		snprintf(error, size,
			 "track_outer_bytes=%llu: allowed is track_inner_bytes (%llu) or more",
			 (unsigned long long)p->track_outer_bytes,
			 (unsigned long long)p->track_inner_bytes);
		return -EINVAL;
	}
	if (p->size_bytes % 512 != 0) {
		snprintf(error, size, "size_bytes=%llu: allowed is a multiple of 512",
			 (unsigned long long)p->size_bytes);
		return -EINVAL;
	}
	return 0;
}

static json_t *value_to_json(const struct vhdd_params *params, const struct vhdd_param_info *info)
{
	double number = get_number(params, info);
	const struct choice *choices = choices_of(info->type);

	if (choices != NULL)
		return json_string(choice_name(choices, (int)number));
	if (is_whole(info->type))
		return json_integer((json_int_t)number);
	return json_real(number);
}

json_t *vhdd_params_to_json(const struct vhdd_params *params)
{
	json_t *object = json_object();

	for (size_t i = 0; i < KEYS && object != NULL; i++) {
		if (json_object_set_new(object, table[i].key, value_to_json(params, &table[i])) !=
		    0) {
			json_decref(object);
			object = NULL;
		}
	}
	return object;
}
