// SPDX-License-Identifier: Apache-2.0
#include "state.h"

#include <err.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int vhdd_state_write(const struct vhdd_state *state, const char *path)
{
	char new_path[strlen(path) + sizeof(".new")];
	json_t *json = json_pack("{s:I, s:i, s:b}", "size_bytes", (json_int_t)state->size_bytes,
				 "loop", state->loop, "complete", state->complete);
	int error = 0;

	snprintf(new_path, sizeof(new_path), "%s.new", path);
	if (!json || json_dump_file(json, new_path, JSON_INDENT(2)) || rename(new_path, path)) {
		error = errno ? -errno : -ENOMEM;
		warn("cannot write %s", path);
		unlink(new_path);
	}
	json_decref(json);
	return error;
}

int vhdd_state_read(struct vhdd_state *state, const char *path)
{
	json_error_t problem;
	json_int_t size_bytes;
	int complete;
	json_t *json;
	int error = 0;

	*state = (struct vhdd_state){.loop = VHDD_NO_LOOP};
	if (access(path, F_OK))
		return -errno;
	json = json_load_file(path, 0, &problem);
	if (!json || json_unpack_ex(json, &problem, 0, "{s:I, s:i, s:b}", "size_bytes",
				    &size_bytes, "loop", &state->loop, "complete", &complete)) {
		warnx("cannot read %s: %s", path, problem.text);
		error = -EINVAL;
	} else {
		state->size_bytes = (uint64_t)size_bytes;
		state->complete = complete;
	}
	json_decref(json);
	return error;
}
