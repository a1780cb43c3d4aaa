/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between which values each parameter of the drive model may be for a 7200 rpm near-line drive: what drives of
 * this kind have by their manuals and measurements, or an assumption that says so. For the question of how far
 * a result depends on what is not known of the drive. Pure functions.
 */
#ifndef VHDD_PLAUSIBLE_H
#define VHDD_PLAUSIBLE_H

#include <jansson.h>

#include "params.h"

struct vhdd_plausible {
	const char *key;
	/*
	 * As vhdd_params_set reads it; after it, each after a blank, KEY=VALUE of others that have to change with
	 * it. NULL: not varied.
	 */
	const char *low;
	const char *high;
	const char *why; /* where the range comes from, or why there is none */
};

/* The entry of a key; NULL for the keys of duration limits, which a user sets. */
const struct vhdd_plausible *vhdd_plausible_find(const char *key);

/*
 * A new JSON array of all keys: key, value, allowed and description, and low, high and why as above; NULL: no
 * memory.
 */
json_t *vhdd_plausible_to_json(const struct vhdd_params *params);

#endif
