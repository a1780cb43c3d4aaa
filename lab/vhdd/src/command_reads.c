// SPDX-License-Identifier: Apache-2.0
/*
 * The command "vhdd reads": random reads through the kernel, of which given shares have an I/O priority
 * of their own, hint included. fio states a class and a level, but no hint before its release 3.36.
 */
#include "command.h"
#include "histogram.h"
#include "ioprio.h"
#include "number.h"
#include "rng.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK_BYTES 4096u
#define MOST_BYTES (1u << 20)
#define MOST_DEPTH 256
#define MOST_SECONDS 86400
#define MOST_SHARES 7
#define SECOND_NS INT64_C(1000000000)

/* Reads of one priority. */
struct kind {
	double share; /* of all reads, 0 to 1; unused for the rest */
	uint16_t ioprio;
	struct vhdd_histogram latency;
};

struct arguments {
	const char *node;
	unsigned depth;
	uint32_t bytes;
	int64_t ramp_ns;
	int64_t measured_ns;
	uint64_t seed;
	struct kind kinds[MOST_SHARES + 1]; /* the first is the rest, without a priority */
	size_t count;
	bool json;
};

/* Room for one outstanding read. */
struct slot {
	void *buffer;
	struct kind *kind;
	int64_t asked_ns;
};

struct load {
	struct arguments *arguments;
	int fd;
	uint64_t places;
	struct vhdd_rng rng;
	struct io_uring ring;
	struct slot slots[MOST_DEPTH];
	unsigned outstanding;
	struct vhdd_histogram latency; /* of all kinds */
	int64_t begin_ns;              /* of what is measured */
	int64_t end_ns;
};

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND_NS + time.tv_nsec;
}

static struct kind *any_kind(struct load *load)
{
	double place = vhdd_rng_uniform(&load->rng);

	for (size_t i = 1; i < load->arguments->count; i++) {
		struct kind *kind = &load->arguments->kinds[i];

		if (place < kind->share)
			return kind;
		place -= kind->share;
	}
	return &load->arguments->kinds[0];
}

static void ask(struct load *load, struct slot *slot, int64_t now_ns)
{
	struct io_uring_sqe *entry = io_uring_get_sqe(&load->ring); /* there is one for each slot */
	uint64_t offset = vhdd_rng_below(&load->rng, load->places) * BLOCK_BYTES;

	slot->kind = any_kind(load);
	slot->asked_ns = now_ns;
	io_uring_prep_read(entry, load->fd, slot->buffer, load->arguments->bytes, offset);
	entry->ioprio = slot->kind->ioprio;
	io_uring_sqe_set_data(entry, slot);
	load->outstanding++;
}

/* Counts a read, and asks for the next one until the end. 0 or -errno. */
static int take(struct load *load, const struct io_uring_cqe *answer, int64_t now_ns)
{
	struct slot *slot = io_uring_cqe_get_data(answer);

	load->outstanding--;
	if (answer->res < 0)
		return answer->res;
	if ((uint32_t)answer->res != load->arguments->bytes)
		return -EIO;
	if (now_ns >= load->end_ns)
		return 0;
	if (now_ns >= load->begin_ns) {
		vhdd_histogram_record(&load->latency, now_ns - slot->asked_ns);
		vhdd_histogram_record(&slot->kind->latency, now_ns - slot->asked_ns);
	}
	ask(load, slot, now_ns);
	return 0;
}

/* Waits for answers and takes them. 0 or -errno. */
static int serve(struct load *load)
{
	struct io_uring_cqe *answer;
	unsigned head;
	unsigned answers = 0;
	int status = io_uring_submit_and_wait(&load->ring, 1);
	int64_t now_ns = now();

	if (status < 0)
		return status == -EINTR || status == -EAGAIN ? 0 : status;
	status = 0;
	io_uring_for_each_cqe(&load->ring, head, answer) {
		if (status == 0)
			status = take(load, answer, now_ns);
		answers++;
	}
	io_uring_cq_advance(&load->ring, answers);
	return status;
}

/* A closed loop: the depth is outstanding until the end. 0 or -errno. */
static int serve_all(struct load *load)
{
	const struct arguments *arguments = load->arguments;
	int64_t start_ns = now();
	int status = 0;

	load->begin_ns = start_ns + arguments->ramp_ns;
	load->end_ns = load->begin_ns + arguments->measured_ns;
	for (unsigned i = 0; i < arguments->depth; i++)
		ask(load, &load->slots[i], start_ns);
	while (status == 0 && load->outstanding > 0)
		status = serve(load);
	return status;
}

/* The buffers live as long as the process: after a failure the kernel may still write to them. */
static int prepare(struct load *load)
{
	const struct arguments *arguments = load->arguments;
	off_t bytes;
	int status;

	load->fd = open(arguments->node, O_RDONLY | O_DIRECT | O_CLOEXEC);
	bytes = load->fd < 0 ? -1 : lseek(load->fd, 0, SEEK_END);
	if (bytes < 0)
		return -errno;
	if ((uint64_t)bytes < arguments->bytes)
		return -ENODATA;
	load->places = ((uint64_t)bytes - arguments->bytes) / BLOCK_BYTES + 1;
	load->rng.state = arguments->seed;
	for (unsigned i = 0; i < arguments->depth; i++) {
		status = posix_memalign(&load->slots[i].buffer, BLOCK_BYTES, arguments->bytes);
		if (status != 0)
			return -status;
	}
	return io_uring_queue_init(arguments->depth, &load->ring, 0);
}

static json_t *latency_to_json(const struct load *load, const struct vhdd_histogram *latency)
{
	double seconds = (double)load->arguments->measured_ns / (double)SECOND_NS;
	json_t *json = json_pack("{s:I, s:f}", "n", (json_int_t)latency->count, "iops",
				 (double)latency->count / seconds);

	if (latency->count > 0)
		json_object_update_new(json, vhdd_histogram_to_json(latency, "_ms"));
	return json;
}

static json_t *to_json(const struct load *load)
{
	const struct arguments *arguments = load->arguments;
	json_t *json = latency_to_json(load, &load->latency);
	json_t *kinds = json_object();
	char name[32];

	for (size_t i = 0; i < arguments->count; i++) {
		const struct kind *kind = &arguments->kinds[i];

		hprio_ioprio_format(kind->ioprio, name, sizeof(name));
		json_object_set_new(kinds, name, latency_to_json(load, &kind->latency));
	}
	json_object_set_new(json, "classes", kinds);
	return json;
}

static void print_line(const struct load *load, const char *name,
		       const struct vhdd_histogram *latency)
{
	const double ms_ns = 1e6;

	printf("%-8s %8llu %8.1f %9.2f", name, (unsigned long long)latency->count,
	       (double)latency->count * (double)SECOND_NS / (double)load->arguments->measured_ns,
	       vhdd_histogram_mean(latency) / ms_ns);
	for (size_t i = 0; i < VHDD_QUANTILES; i++)
		printf(" %9.2f",
		       (double)vhdd_histogram_quantile(latency, vhdd_quantiles[i].share) / ms_ns);
	printf("\n");
}

static void print_text(const struct load *load)
{
	const struct arguments *arguments = load->arguments;
	char name[32];

	printf("%-8s %8s %8s %9s", "priority", "n", "iops", "mean_ms");
	for (size_t i = 0; i < VHDD_QUANTILES; i++)
		printf(" %6s_ms", vhdd_quantiles[i].name);
	printf("\n");
	print_line(load, "all", &load->latency);
	for (size_t i = 0; i < arguments->count; i++)
		print_line(load,
			   hprio_ioprio_format(arguments->kinds[i].ioprio, name, sizeof(name)),
			   &arguments->kinds[i].latency);
}

enum {
	OPTION_DEPTH = 256,
	OPTION_SHARE,
	OPTION_SIZE,
	OPTION_RAMP,
	OPTION_SECONDS,
	OPTION_SEED,
	OPTION_JSON,
};

static const struct argp_option options[] = {
	{"depth", OPTION_DEPTH, "N", 0, "reads that are outstanding, 1 to 256 (default 1)", 0},
	{"share", OPTION_SHARE, "SHARE,PRIORITY", 0,
	 "this share of the reads, 0 to 1, has this priority, as 0.2,be:4+1; up to 7 times", 0},
	{"request-size", OPTION_SIZE, "BYTES", 0,
	 "size of every read, a multiple of 4096 up to 1048576 (default 131072)", 0},
	{"ramp", OPTION_RAMP, "SECONDS", 0, "what passes before it measures (default 1)", 0},
	{"seconds", OPTION_SECONDS, "SECONDS", 0, "how long it measures (default 10)", 0},
	{"seed", OPTION_SEED, "N", 0, "of the places and shares (default 1)", 0},
	{"json", OPTION_JSON, NULL, 0, "print JSON", 0},
	{0},
};

static void add_share(struct arguments *arguments, const char *text, struct argp_state *state)
{
	struct kind *kind = &arguments->kinds[arguments->count];
	char error[256];
	char *end;
	double sum = 0;

	if (arguments->count > MOST_SHARES)
		argp_error(state, "--share=%s: allowed are %d of them", text, MOST_SHARES);
	kind->share = strtod(text, &end);
	for (size_t i = 1; i <= arguments->count; i++)
		sum += arguments->kinds[i].share;
	if (strchr(".0123456789", text[0]) == NULL || end == text || *end != ',' || !(sum <= 1))
		argp_error(state,
			   "--share=%s: allowed is SHARE,PRIORITY with shares from 0 to 1, all "
			   "together at most 1",
			   text);
	if (hprio_ioprio_parse(end + 1, true, &kind->ioprio, error, sizeof(error)) != 0)
		argp_error(state, "--share=%s: %s", text, error);
	for (size_t i = 0; i < arguments->count; i++)
		if (arguments->kinds[i].ioprio == kind->ioprio)
			argp_error(state, "--share=%s: there is a share of this priority already",
				   text);
	arguments->count++;
}

static int64_t seconds(const char *option, const char *text, uint64_t min,
		       const struct argp_state *state)
{
	return (int64_t)hprio_whole_option(state, option, text, min, MOST_SECONDS) * SECOND_NS;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case OPTION_DEPTH:
		arguments->depth = (unsigned)hprio_whole_option(state, "depth", text, 1, MOST_DEPTH);
		break;
	case OPTION_SHARE:
		add_share(arguments, text, state);
		break;
	case OPTION_SIZE:
		arguments->bytes = (uint32_t)hprio_whole_option(state, "request-size", text,
								BLOCK_BYTES, MOST_BYTES);
		if (arguments->bytes % BLOCK_BYTES != 0)
			argp_error(state, "--request-size=%s: allowed is a multiple of %u", text,
				   BLOCK_BYTES);
		break;
	case OPTION_RAMP:
		arguments->ramp_ns = seconds("ramp", text, 0, state);
		break;
	case OPTION_SECONDS:
		arguments->measured_ns = seconds("seconds", text, 1, state);
		break;
	case OPTION_SEED:
		arguments->seed = hprio_whole_option(state, "seed", text, 0, INT64_MAX);
		break;
	case OPTION_JSON:
		arguments->json = true;
		break;
	case ARGP_KEY_ARG:
		if (arguments->node != NULL)
			argp_error(state, "%s: one device is expected", text);
		arguments->node = text;
		break;
	case ARGP_KEY_END:
		if (arguments->node == NULL)
			argp_error(state, "DEVICE is missing");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int vhdd_reads_main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "DEVICE",
		.doc = "Read at random places of a block device, with O_DIRECT and a fixed number of "
		       "reads outstanding. Shares of them have a priority of their own, each by "
		       "chance; the others have none.",
	};
	static struct arguments arguments = {
		.depth = 1,
		.bytes = 131072,
		.ramp_ns = SECOND_NS,
		.measured_ns = 10 * SECOND_NS,
		.seed = 1,
		.count = 1,
	};
	static struct load load = {.arguments = &arguments};
	int status;

	if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
		return EXIT_FAILURE;
	status = prepare(&load);
	if (status == 0)
		status = serve_all(&load);
	if (status < 0) {
		fprintf(stderr, "%s: %s: %s\n", argv[0], arguments.node, strerror(-status));
		return EXIT_FAILURE;
	}
	if (arguments.json)
		return hprio_print_json(stdout, to_json(&load));
	print_text(&load);
	return EXIT_SUCCESS;
}
