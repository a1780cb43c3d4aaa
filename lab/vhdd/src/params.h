/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tunables of the drive model: one structure, and one table that describes each of its fields.
 *
 * The table is the only place that knows a key's unit, range and meaning: parsing, help texts and
 * JSON are made from it. A key is the field's name; its suffix is the unit of a plain number.
 * Durations are nanoseconds, lengths are bytes, rates are bytes per second, offsets are from the
 * start of the disk. Pure functions, safe from any thread on different structures.
 */
#ifndef VHDD_PARAMS_H
#define VHDD_PARAMS_H

#include "cdl.h"
#include "model.h"

#include <jansson.h>

struct vhdd_params {
	/* The mechanics. Set before the disk is made; a live change needs a new model. */
	uint64_t size_bytes;
	double rpm;
	int64_t seek_min_ns; /* to the next track */
	int64_t seek_avg_ns; /* mean over random pairs of positions */
	int64_t seek_max_ns; /* full stroke */
	double stroke;       /* share of the full stroke that the disk's bytes span, (0, 1] */
	uint32_t zones;
	uint64_t track_outer_bytes;
	uint64_t track_inner_bytes;
	int64_t track_switch_ns;
	int64_t write_settle_ns;

	/* The electronics. */
	int64_t path_ns;     /* from the block layer's issue until the drive has the command */
	int64_t overhead_ns; /* from a command's arrival until the drive can start it */
	int64_t media_overhead_ns; /* more, if it is not served from the buffer */
	double interface_bytes_per_s;
	uint64_t readahead_bytes; /* how far it reads on after a read; 0 switches it off */
	uint64_t min_prefetch_bytes; /* how much of that also while commands wait */
	uint32_t segments;        /* past reads whose data the buffer keeps */
	uint64_t write_cache_bytes; /* what the write cache holds; 0 switches it off */
	uint32_t write_cache_stretches; /* of the disk, whose data it holds */

	/* The choice among queued commands. */
	enum vhdd_mode mode;
	uint32_t queue_window; /* commands the drive looks at, the oldest ones; NCQ has 32 tags */
	double age_weight;     /* seconds of positioning that one second of age is worth */
	int64_t oldest_lead_ns; /* the oldest command's lead; others' are in proportion to their age */
	int64_t max_age_ns;    /* modes ncq and cdl: an older command goes first */
	/*
	 * Mode prio: class RT goes before the rest unless that costs this much more positioning
	 * time; above two revolutions and a full seek RT is always first.
	 */
	int64_t prio_bonus_ns;
	double prio_age_weight; /* mode prio: by how much the lead grows with age */
	int64_t prio_max_age_ns; /* mode prio: an older command goes first */
	struct vhdd_cdl_descriptor cdl[VHDD_CDL_DESCRIPTORS]; /* [hint - 1] */
	int64_t cdl_gain_ns; /* the lead of a command when its guideline comes */
	double cdl_slack_weight; /* seconds by which the lead is less for each second until then */
	uint32_t cdl_rt_hint; /* the hint of class RT without a hint, 0 = none */

	/* The host's side of a command that the drive gives up. */
	enum vhdd_transport transport;
	int64_t recovery_ns; /* SATA: from the end of the last command until the drive is open again */
};

enum vhdd_param_type {
	VHDD_PARAM_BYTES,    /* uint64_t; "4096", "64KiB", "2MB" */
	VHDD_PARAM_DURATION, /* int64_t ns; "800000", "0.8ms" */
	VHDD_PARAM_RATE,     /* double bytes per second; "550000000", "550MB" */
	VHDD_PARAM_COUNT,    /* uint32_t */
	VHDD_PARAM_NUMBER,   /* double */
	VHDD_PARAM_MODE,     /* enum vhdd_mode; "ncq", "prio", "cdl" */
	VHDD_PARAM_LIMIT_POLICY,     /* enum vhdd_cdl_policy of a limit, by cdladm's names */
	VHDD_PARAM_GUIDELINE_POLICY, /* of a guideline */
	VHDD_PARAM_TRANSPORT,        /* enum vhdd_transport; "sata", "sas" */
};

/* One key. */
struct vhdd_param_info {
	const char *key;
	enum vhdd_param_type type;
	double min; /* inclusive, in the key's unit; unused for a mode or a policy */
	double max;
	bool live; /* may change while the disk is in use */
	const char *description;
	size_t offset; /* of the field in struct vhdd_params */
};

/* All keys, in the order for help texts. */
const struct vhdd_param_info *vhdd_params_table(size_t *count);

/* The entry of a key, or NULL. */
const struct vhdd_param_info *vhdd_params_find(const char *key);

/* Copies one key's value. */
void vhdd_params_copy(struct vhdd_params *to, const struct vhdd_params *from,
		      const struct vhdd_param_info *info);

/* What a key accepts, for people, e.g. "a duration from 0s to 100ms". Returns text. */
const char *vhdd_param_allowed(const struct vhdd_param_info *info, char *text, size_t size);

/* The value of a key, as vhdd_params_set reads it. Returns text. */
const char *vhdd_param_value(const struct vhdd_params *params, const struct vhdd_param_info *info,
			     char *text, size_t size);

/* The preset's names, ended by NULL. */
const char *const *vhdd_params_presets(void);

/* Fills in a preset: 0, or -EINVAL for an unknown name. */
int vhdd_params_preset(struct vhdd_params *params, const char *name);

/*
 * Sets one key from text. The whole text must be a value: 0, or -EINVAL and in error (size bytes)
 * a sentence that names the key, the value and what is allowed; params is then unchanged.
 */
int vhdd_params_set(struct vhdd_params *params, const char *key, const char *value, char *error,
		    size_t size);

/* As vhdd_params_set for "key=value". */
int vhdd_params_assign(struct vhdd_params *params, const char *assignment, char *error,
		       size_t size);

/*
 * Whether the fields fit together (each alone is checked by vhdd_params_set): 0, or -EINVAL and a
 * sentence in error. vhdd_model_new refuses parameters that do not pass.
 */
int vhdd_params_check(const struct vhdd_params *params, char *error, size_t size);

/* A new JSON object, key to number in the key's unit (modes and policies: text); NULL: no memory. */
json_t *vhdd_params_to_json(const struct vhdd_params *params);

const char *vhdd_mode_name(enum vhdd_mode mode);

#endif
