// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <string.h>

#define OPTION_JSON 0x101
#define OPTION_ACCESS 0x102
#define OPTION_HELPER 0x103
#define OPTION_IN_FLIGHT 0x104

static const struct argp_option common_options[] = {
	{"json", OPTION_JSON, NULL, 0, "Print JSON", 0},
	{"access", OPTION_ACCESS, "HOW", 0,
	 "How commands reach the disk: with the process's own rights (device), through the helper "
	 "(helper), or whichever works (auto, the default)", 0},
	{"helper", OPTION_HELPER, "SOCKET", 0, "The socket of hprio-pbsd", 0},
	{"in-flight", OPTION_IN_FLIGHT, "N", 0, "Most commands at the disk at once, 1 to 32; at most, and by default, half of its queue", 0},
	{0},
};

int32_t pbs_parse_word(const struct argp_state *state, const char *option, const char *text,
		       const char *(*name)(int32_t), int32_t count)
{
	char words[128] = "";

	for (int32_t i = 0; i < count; i++) {
		if (strcmp(text, name(i)) == 0)
			return i;
		strcat(strcat(words, i ? ", " : ""), name(i));
	}
	argp_error(state, "--%s=%s: allowed is %s", option, text, words);
	return 0;
}

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
	struct pbs_common *common = state->input;

	switch (key) {
	case OPTION_JSON:
		common->json = true;
		return 0;
	case OPTION_ACCESS:
		common->options.access = pbs_parse_word(state, "access", argument, pbs_access_name,
							PBS_ACCESS_NONE);
		return 0;
	case OPTION_HELPER:
		common->options.helper = argument;
		return 0;
	case OPTION_IN_FLIGHT:
		common->options.in_flight =
			(uint32_t)hprio_whole_option(state, "in-flight", argument, 1, 32);
		return 0;
	case ARGP_KEY_ARG:
		if (common->file)
			argp_error(state, "\"%s\": only one FILE", argument);
		common->file = argument;
		return 0;
	case ARGP_KEY_END:
		if (!common->file)
			argp_error(state, "FILE is missing");
		if (common->options.access == PBS_ACCESS_HELPER && !common->options.helper)
			argp_error(state, "--access=helper needs --helper");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp pbs_common_argp = {.options = common_options, .parser = parse_common};

void pbs_common_init(struct pbs_common *common)
{
	*common = (struct pbs_common){0};
	pbs_options_init(&common->options);
}
