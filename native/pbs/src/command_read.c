// SPDX-License-Identifier: Apache-2.0
#include "command.h"
#include "ioprio.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_LENGTH (1024u * 1024u * 1024u)
#define BUFFER_ALIGNMENT 4096

#define OPTION_RAISE_AFTER 0x201
#define OPTION_DROP_CACHE 0x202
#define OPTION_COMPARE 0x203
#define OPTION_STRICT 0x204

enum engine {
	ENGINE_NCQ,
	ENGINE_DIRECT,
	ENGINES,
};

struct arguments {
	struct pbs_common common;
	enum engine engine;
	uint64_t offset;
	uint64_t length; /* UINT64_MAX: to the end */
	int32_t level;
	int32_t ioprio;
	uint32_t timeout_ms;
	const char *output;
	bool drop_cache;
	bool compare;
	bool strict;
};

/* How the read went. */
struct result {
	char *bytes;
	int64_t count;
	double milliseconds;
	struct pbs_outcome outcome;
	bool differs;
};

static const char *engine_name(int32_t engine)
{
	static const char *const names[] = {"ncq", "direct"};

	return names[engine];
}

static uint16_t parse_ioprio(const struct argp_state *state, const char *text)
{
	char error[PBS_TEXT];
	uint16_t ioprio = 0;

	if (hprio_ioprio_parse(text, true, &ioprio, error, sizeof(error)))
		argp_error(state, "--ioprio=%s", error);
	return ioprio;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->common;
		return 0;
	case 'e':
		arguments->engine =
			(enum engine)pbs_parse_word(state, "engine", argument, engine_name, ENGINES);
		return 0;
	case 'o':
		arguments->offset = hprio_whole_option(state, "offset", argument, 0, INT64_MAX / 2);
		return 0;
	case 'n':
		arguments->length = hprio_whole_option(state, "length", argument, 1, MAX_LENGTH);
		return 0;
	case 'l':
		arguments->level = pbs_parse_word(state, "level", argument, pbs_level_name,
						  PBS_LEVEL_HIGH + 1);
		return 0;
	case 'p':
		arguments->ioprio = parse_ioprio(state, argument);
		return 0;
	case 't':
		arguments->timeout_ms =
			(uint32_t)hprio_whole_option(state, "timeout", argument, 0, UINT32_MAX);
		return 0;
	case OPTION_RAISE_AFTER:
		arguments->common.options.raise_after_ms =
			(uint32_t)hprio_whole_option(state, "raise-after", argument, 0, UINT32_MAX);
		return 0;
	case 'w':
		arguments->output = argument;
		return 0;
	case OPTION_DROP_CACHE:
		arguments->drop_cache = true;
		return 0;
	case OPTION_COMPARE:
		arguments->compare = true;
		return 0;
	case OPTION_STRICT:
		arguments->strict = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"engine", 'e', "ENGINE", 0, "ncq (default) or direct", 0},
	{"offset", 'o', "BYTES", 0, "Where to start, default 0", 0},
	{"length", 'n', "BYTES", 0, "How much to read, default all, at most 1 GiB", 0},
	{"level", 'l', "LEVEL", 0, "ncq: normal or high (default)", 0},
	{"ioprio", 'p', "PRIORITY", 0, "direct: none (default), idle, rt, rt:0..7, be, be:0..7; with +1..7: a duration limit", 0},
	{"timeout", 't', "MS", 0, "ncq: read with pread(2) after this time, default 0: never", 0},
	{"raise-after", OPTION_RAISE_AFTER, "MS", 0,
	 "ncq: send a normal read that is older again as high, default 500, 0: never", 0},
	{"output", 'w', "PATH", 0, "Write the bytes there", 0},
	{"drop-cache", OPTION_DROP_CACHE, NULL, 0, "Drop the file from the page cache first", 0},
	{"compare", OPTION_COMPARE, NULL, 0, "Fail unless pread(2) returns the same bytes", 0},
	{"strict", OPTION_STRICT, NULL, 0, "Fail unless the engine itself read the bytes", 0},
	{0},
};

static double milliseconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static uint64_t length_to_read(const struct arguments *arguments, int fd)
{
	struct stat status;
	uint64_t rest = 0;

	if (arguments->length != UINT64_MAX)
		return arguments->length;
	if (fstat(fd, &status))
		err(EXIT_FAILURE, "%s", arguments->common.file);
	if ((uint64_t)status.st_size > arguments->offset)
		rest = (uint64_t)status.st_size - arguments->offset;
	if (rest > MAX_LENGTH)
		errx(EXIT_FAILURE, "%s: %llu bytes; give --length, at most %u",
		     arguments->common.file, (unsigned long long)rest, MAX_LENGTH);
	return rest;
}

static void *allocate(uint64_t bytes)
{
	void *memory;

	if (posix_memalign(&memory, BUFFER_ALIGNMENT, bytes ? bytes : 1))
		errx(EXIT_FAILURE, "no memory for %llu bytes", (unsigned long long)bytes);
	return memory;
}

static void read_with_engine(const struct arguments *arguments, struct pbs_file *file,
			     uint64_t length, struct result *result)
{
	double before = milliseconds_now();

	if (arguments->engine == ENGINE_NCQ)
		result->count = pbs_read_ncq(file, result->bytes, (int64_t)length,
					     (int64_t)arguments->offset, arguments->level,
					     arguments->timeout_ms, &result->outcome);
	else
		result->count = pbs_read_direct(file, result->bytes, (int64_t)length,
						(int64_t)arguments->offset, arguments->ioprio,
						&result->outcome);
	result->milliseconds = milliseconds_now() - before;
}

/* Whether pread(2) now returns other bytes. */
static bool differs(const struct arguments *arguments, int fd, uint64_t length,
		    const struct result *result)
{
	char *other = allocate(length);
	int64_t count = 0;
	ssize_t some;
	bool differ;

	while ((some = pread(fd, other + count, length - (uint64_t)count,
			     (off_t)arguments->offset + count)) > 0)
		count += some;
	differ = count != result->count || memcmp(other, result->bytes, (size_t)count) != 0;
	free(other);
	return differ;
}

static void read_file(const struct arguments *arguments, struct pbs_volume *volume,
		      struct result *result)
{
	int fd = open(arguments->common.file, O_RDONLY | O_CLOEXEC);
	struct pbs_file *file;
	uint64_t length;
	int error;

	if (fd < 0)
		err(EXIT_FAILURE, "%s", arguments->common.file);
	length = length_to_read(arguments, fd);
	result->bytes = allocate(length);
	/* Dirty pages stay unless they are written first. */
	if (arguments->drop_cache && (fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)))
		err(EXIT_FAILURE, "%s: --drop-cache", arguments->common.file);
	error = pbs_file_open(volume, fd, &file);
	if (error)
		errx(EXIT_FAILURE, "%s: %s", arguments->common.file, strerror(-error));
	read_with_engine(arguments, file, length, result);
	pbs_file_close(file);
	if (result->count >= 0 && arguments->compare)
		result->differs = differs(arguments, fd, length, result);
	close(fd);
}

static void write_bytes(const struct arguments *arguments, const struct result *result)
{
	FILE *stream;

	if (!arguments->output || result->count < 0)
		return;
	stream = fopen(arguments->output, "we");
	if (!stream || fwrite(result->bytes, 1, (size_t)result->count, stream) !=
			       (size_t)result->count ||
	    fclose(stream))
		err(EXIT_FAILURE, "--output=%s", arguments->output);
}

static int print_json(const struct arguments *arguments, const struct result *result)
{
	const struct pbs_outcome *outcome = &result->outcome;
	json_t *json = json_pack("{s:s, s:I, s:f, s:s, s:s, s:s, s:b, s:i}", "engine",
				 engine_name(arguments->engine), "bytes",
				 (json_int_t)result->count, "milliseconds", result->milliseconds,
				 "way", pbs_way_name(outcome->way), "reason",
				 pbs_reason_name(outcome->reason), "text", outcome->text, "raised",
				 (int)outcome->raised, "commands", (int)outcome->commands);

	if (arguments->compare)
		json_object_set_new(json, "equal", json_boolean(!result->differs));
	return hprio_print_json(stdout, json);
}

static void print_text(const struct arguments *arguments, const struct result *result)
{
	const struct pbs_outcome *outcome = &result->outcome;

	printf("%lld bytes in %.3f ms, way %s", (long long)result->count, result->milliseconds,
	       pbs_way_name(outcome->way));
	if (outcome->way == PBS_WAY_FALLBACK)
		printf(" (%s: %s)", pbs_reason_name(outcome->reason), outcome->text);
	if (outcome->commands)
		printf(", %d commands", outcome->commands);
	if (outcome->raised)
		printf(", raised");
	if (arguments->compare)
		printf(", %s", result->differs ? "DIFFERENT FROM pread" : "equal to pread");
	puts("");
}

static bool by_engine(const struct arguments *arguments, const struct result *result)
{
	return result->outcome.way ==
	       (arguments->engine == ENGINE_NCQ ? PBS_WAY_NCQ : PBS_WAY_DIRECT);
}

static int conclude(const struct arguments *arguments, const struct result *result)
{
	int status = EXIT_SUCCESS;

	if (result->count < 0) {
		warnx("%s: %s", arguments->common.file, strerror((int)-result->count));
		return EXIT_FAILURE;
	}
	if (arguments->common.json)
		status = print_json(arguments, result);
	else
		print_text(arguments, result);
	if (result->differs || (arguments->strict && !by_engine(arguments, result)))
		status = EXIT_FAILURE;
	return status;
}

int pbs_read_main(int argc, char **argv)
{
	static const struct argp_child children[] = {{&pbs_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE",
		.doc = "Reads a file through an engine and reports how it was read.\vWhat the engine "
		       "cannot read is read with pread(2), and the reason is printed.",
		.children = children,
	};
	struct arguments arguments = {.length = UINT64_MAX, .level = PBS_LEVEL_HIGH};
	struct result result = {0};
	struct pbs_volume *volume;
	char error[PBS_TEXT];
	int status;

	pbs_common_init(&arguments.common);
	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	if (pbs_volume_open(arguments.common.file, &arguments.common.options, &volume, error))
		errx(EXIT_FAILURE, "%s", error);
	read_file(&arguments, volume, &result);
	pbs_volume_close(volume);
	write_bytes(&arguments, &result);
	status = conclude(&arguments, &result);
	free(result.bytes);
	return status;
}
