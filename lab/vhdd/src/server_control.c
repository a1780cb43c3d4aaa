// SPDX-License-Identifier: Apache-2.0
/* The operations of the daemon's control socket. */
#include "number.h"
#include "server_parts.h"

#include <err.h>
#include <errno.h>
#include <string.h>

/* Keys of "set" that are not of the model. */
#define KEY_TIMED "timed"
#define KEY_REGIONS "regions"

/* What a "set" changes, applied as a whole or not at all. */
struct change {
	struct vhdd_params params;
	bool timed;
	bool set_regions;
	unsigned int regions;
};

static json_t *parse_count(const char *key, const char *value, unsigned int max,
			   unsigned int *count)
{
	uint64_t parsed;

	if (!hprio_parse_whole(value, 0, max, &parsed))
		return vhdd_control_error("%s=%s: allowed is a whole number from 0 to %u", key,
					  value, max);
	*count = (unsigned int)parsed;
	return NULL;
}

/* NULL, or the error reply. */
static json_t *parse_assignment(struct change *change, const char *assignment)
{
	char key[64];
	char error[512];
	const char *equals = strchr(assignment, '=');
	size_t length = equals ? (size_t)(equals - assignment) : 0;
	const struct vhdd_param_info *info;
	unsigned int timed = change->timed;
	json_t *reply;

	if (length == 0 || length >= sizeof(key))
		return vhdd_control_error("\"%s\": expected key=value", assignment);
	memcpy(key, assignment, length);
	key[length] = '\0';
	if (strcmp(key, KEY_TIMED) == 0) {
		reply = parse_count(key, equals + 1, 1, &timed);
		change->timed = timed;
		return reply;
	}
	if (strcmp(key, KEY_REGIONS) == 0) {
		change->set_regions = true;
		return parse_count(key, equals + 1, VHDD_MAX_REGIONS, &change->regions);
	}
	info = vhdd_params_find(key);
	if (info && !info->live)
		return vhdd_control_error("%s cannot change while the disk is in use: give it to "
					  "create", key);
	if (vhdd_params_assign(&change->params, assignment, error, sizeof(error)))
		return vhdd_control_error("%s", error);
	return NULL;
}

static json_t *apply(struct vhdd_server *server, const struct change *change)
{
	int error;

	vhdd_drive_advance(server->drive, vhdd_server_now_ns());
	vhdd_drive_set_params(server->drive, &change->params);
	error = vhdd_drive_set_timed(server->drive, change->timed, vhdd_server_now_ns());
	if (error)
		return vhdd_control_error("%s: %s", KEY_TIMED, strerror(-error));
	if (change->set_regions)
		vhdd_stats_set_regions(server->stats, change->regions);
	return vhdd_control_ok();
}

static json_t *handle_set(struct vhdd_server *server, const json_t *request)
{
	struct change change = {.params = *vhdd_drive_params(server->drive),
				.timed = vhdd_drive_timed(server->drive)};
	const json_t *assignments = json_object_get(request, "assignments");
	char error[512];

	for (size_t i = 0; i < json_array_size(assignments); i++) {
		const char *assignment = json_string_value(json_array_get(assignments, i));
		json_t *reply = assignment ? parse_assignment(&change, assignment)
					   : vhdd_control_error("expected \"key=value\"");

		if (reply)
			return reply;
	}
	if (vhdd_params_check(&change.params, error, sizeof(error)))
		return vhdd_control_error("%s", error);
	return apply(server, &change);
}

static json_t *handle_stats(struct vhdd_server *server, const json_t *request)
{
	uint64_t lost = vhdd_issue_probe_lost(server->probe);
	struct vhdd_writecache_counts cache = vhdd_drive_writecache(server->drive);
	json_t *stats = vhdd_stats_to_json(server->stats, vhdd_server_now_ns(), lost, &cache);
	json_t *reply = json_pack("{s:b, s:s, s:s, s:b, s:I, s:o}", "ok", 1, "name",
				  server->options->paths->name, "device", server->device,
				  KEY_TIMED, (int)vhdd_drive_timed(server->drive), "memory_bytes",
				  (json_int_t)vhdd_backing_used(server->backing), "parameters",
				  vhdd_params_to_json(vhdd_drive_params(server->drive)));

	if (reply && json_object_update_new(reply, stats)) {
		json_decref(reply);
		return NULL;
	}
	if (json_is_true(json_object_get(request, "reset")))
		vhdd_stats_reset(server->stats, vhdd_server_now_ns(), lost, &cache);
	return reply;
}

static json_t *handle_watch(struct vhdd_server *server, const json_t *request)
{
	const char *device;
	int major;
	int minor;

	if (json_unpack((json_t *)request, "{s:s, s:i, s:i}", "device", &device, "major", &major,
			"minor", &minor))
		return vhdd_control_error("expected device, major and minor");
	strncpy(server->device, device, sizeof(server->device) - 1);
	vhdd_issue_probe_watch(server->probe, major, minor);
	return vhdd_control_ok();
}

static json_t *on_control(void *context, const json_t *request)
{
	static const struct {
		const char *name;
		json_t *(*handle)(struct vhdd_server *server, const json_t *request);
	} operations[] = {{"set", handle_set}, {"stats", handle_stats}, {"watch", handle_watch}};
	const char *name = json_string_value(json_object_get(request, "operation"));

	for (size_t i = 0; name && i < sizeof(operations) / sizeof(operations[0]); i++)
		if (strcmp(name, operations[i].name) == 0)
			return operations[i].handle(context, request);
	return vhdd_control_error("unknown operation \"%s\"", name ? name : "");
}

int vhdd_server_open_control(struct vhdd_server *server)
{
	const char *socket = server->options->paths->socket;

	server->control = vhdd_control_listen(socket, on_control, server);
	if (!server->control)
		warn("cannot listen on %s", socket);
	return server->control ? 0 : -1;
}
