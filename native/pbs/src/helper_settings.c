// SPDX-License-Identifier: Apache-2.0
#include "helper_settings.h"

#include "helper_rights.h"
#include "number.h"

#include <argp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#define EXIT_USAGE 2
#define DEFAULT_USER "hprio-pbsd"

/* An id of a user or group. Names are not looked up: that would load libraries into this program. */
static unsigned parse_id(struct argp_state *state, const char *option, const char *text)
{
	return (unsigned)hprio_whole_option(state, option, text, 0, PBS_NOT_GIVEN - 1);
}

static void parse_user(struct argp_state *state, char *text, struct pbs_settings *settings)
{
	char *colon = strchr(text, ':');

	settings->user_name = colon ? NULL : text;
	if (!colon)
		return;
	*colon = '\0';
	settings->user = parse_id(state, "user", text);
	settings->group = parse_id(state, "user", colon + 1);
}

static void check_settings(struct argp_state *state, struct pbs_settings *settings)
{
	const struct sockaddr_un *address;

	if (!settings->socket)
		argp_error(state, "--socket is missing");
	if (strlen(settings->socket) >= sizeof(address->sun_path))
		argp_error(state, "--socket=%s: the path is too long", settings->socket);
	if (settings->allow_uid == PBS_NOT_GIVEN && settings->allow_gid == PBS_NOT_GIVEN)
		argp_error(state, "--allow-uid or --allow-gid is missing");
	if (settings->volumes == 0)
		argp_error(state, "a VOLUME is missing");
	/* Only root can become another user. */
	if (settings->user_name && geteuid() == 0 &&
	    !pbs_rights_find_user(settings->user_name, &settings->user, &settings->group))
		argp_error(state,
			   "--user=%s: no such user in /etc/passwd (useradd --system %s); allowed is a user "
			   "of that file, or UID:GID",
			   settings->user_name, settings->user_name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct pbs_settings *settings = state->input;

	switch (key) {
	case 's':
		settings->socket = argument;
		return 0;
	case 'u':
		settings->allow_uid = parse_id(state, "allow-uid", argument);
		return 0;
	case 'g':
		settings->allow_gid = parse_id(state, "allow-gid", argument);
		return 0;
	case 'r':
		parse_user(state, argument, settings);
		return 0;
	case ARGP_KEY_ARG:
		if (settings->volumes == PBS_MAX_VOLUMES)
			argp_error(state, "%s: at most %d volumes", argument, PBS_MAX_VOLUMES);
		settings->path[settings->volumes++] = argument;
		return 0;
	case ARGP_KEY_END:
		check_settings(state, settings);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void pbs_settings_parse(int argc, char **argv, struct pbs_settings *settings)
{
	static const struct argp_option options[] = {
		{"socket", 's', "PATH", 0, "Where clients connect", 0},
		{"allow-uid", 'u', "UID", 0, "Serve clients of this user", 0},
		{"allow-gid", 'g', "GID", 0, "Serve clients with this primary group", 0},
		{"user", 'r', "NAME|UID:GID", 0,
		 "User of /etc/passwd to run as with its group, or their ids; default " DEFAULT_USER
		 ". It should run nothing else",
		 0},
		{0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "VOLUME...",
		.doc = "Reads blocks of files with NCQ priority for processes that may not send commands "
		       "to disks.\vVOLUME: any path on it, e.g. a directory of dfs.datanode.data.dir. "
		       "A client is served only for files that it has open for reading. A VOLUME that "
		       "cannot be opened is tried again, while the others are served. Runs in the "
		       "foreground until SIGTERM.",
	};

	*settings = (struct pbs_settings){
		.allow_uid = PBS_NOT_GIVEN,
		.allow_gid = PBS_NOT_GIVEN,
		.user_name = DEFAULT_USER,
	};
	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, settings);
}
