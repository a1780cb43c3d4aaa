// SPDX-License-Identifier: Apache-2.0
#include "sim.h"

#include "rng.h"
#include "station.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 4096
#define NEVER INT64_MAX
#define SECOND_NS 1e9
#define DEFAULT_REQUEST_BYTES (128u << 10)
#define DEFAULT_TAGS 32
#define DEFAULT_HOST_NS 60000
#define MAX_CLIENTS 65536

/* A closed-loop client: it waits until wake_ns, then for its one request. */
struct client {
	bool foreground;
	int64_t wake_ns; /* NEVER while its request is under way */
	uint64_t position;
};

struct sim_request {
	struct vhdd_host_request host; /* first: the station hands it back */
	enum vhdd_sim_class class;
	struct client *client; /* NULL: of the open loop */
};

struct sim {
	const struct vhdd_sim_config *config;
	struct vhdd_sim_result *result;
	struct vhdd_station station;
	struct vhdd_rng rng;
	struct client *clients;
	unsigned client_count;
	int64_t arrival_ns; /* the open loop's next request */
	uint64_t answers;
	int64_t begin_ns; /* the end of the warm-up */
	uint64_t position; /* where VHDD_SIM_ONE_STREAM goes on */
};

void vhdd_sim_defaults(struct vhdd_sim_config *config)
{
	*config = (struct vhdd_sim_config){
		.host = VHDD_HOST_NONE,
		.tags = DEFAULT_TAGS,
		.host_ns = DEFAULT_HOST_NS,
		.request_bytes = DEFAULT_REQUEST_BYTES,
		.background = 1,
		.high = {{.ioprio = hprio_ioprio_make(HPRIO_CLASS_RT, 0, 0)}},
		.foreground_ioprio = hprio_ioprio_make(HPRIO_CLASS_RT, 0, 0),
		.samples = 100000,
		.warmup = 1000,
		.seed = 1,
	};
	vhdd_params_preset(&config->drive, "sdc21");
}

static bool shares_fit(const struct vhdd_sim_share *high)
{
	double sum = 0;

	for (size_t i = 0; i < VHDD_SIM_SHARES; i++) {
		if (!(high[i].share >= 0))
			return false;
		sum += high[i].share;
	}
	return sum <= 1;
}

static uint64_t background_bytes(const struct vhdd_sim_config *config)
{
	return config->background_bytes != 0 ? config->background_bytes
					     : config->drive.size_bytes - config->background_offset;
}

static int check(const struct vhdd_sim_config *config, char *error, size_t size)
{
	const char *wrong = NULL;

	if (config->tags == 0)
		wrong = "tags=0: allowed is 1 or more";
	else if (config->request_bytes == 0 || config->request_bytes % BLOCK_BYTES != 0 ||
		 config->request_bytes > config->drive.size_bytes)
		wrong = "request size: allowed is a multiple of 4096 up to the disk's size";
	else if (config->background_offset % BLOCK_BYTES != 0 ||
		 config->background_bytes % BLOCK_BYTES != 0 ||
		 config->background_offset >= config->drive.size_bytes ||
		 config->background_bytes >
			 config->drive.size_bytes - config->background_offset ||
		 background_bytes(config) < config->request_bytes)
		wrong = "part of the disk: allowed are multiples of 4096 with room for a request";
	else if (!shares_fit(config->high))
		wrong = "high share: allowed is 0 to 1";
	else if (!(config->foreground_rate >= 0 && config->foreground_rate <= 1e6))
		wrong = "foreground rate: allowed is 0 to 1000000 per second";
	else if (config->background > MAX_CLIENTS || config->foreground > MAX_CLIENTS)
		wrong = "clients: allowed are up to 65536";
	else if (config->foreground > 0 && config->foreground_rate > 0)
		wrong = "the foreground is either clients or a rate, not both";
	else if (config->background == 0 && config->foreground == 0 &&
		 config->foreground_rate <= 0)
		wrong = "no clients: a background, a foreground or a foreground rate is needed";
	else if (config->host_ns < 0)
		wrong = "host time: allowed is 0 or more";
	else if (config->samples == 0)
		wrong = "samples=0: allowed is 1 or more";
	if (wrong == NULL)
		return vhdd_params_check(&config->drive, error, size);
	snprintf(error, size, "%s", wrong);
	return -EINVAL;
}

/* A random place of a part of the disk. */
static uint64_t random_offset(struct sim *sim, uint64_t offset, uint64_t bytes)
{
	uint64_t places = (bytes - sim->config->request_bytes) / BLOCK_BYTES + 1;

	return offset + vhdd_rng_below(&sim->rng, places) * BLOCK_BYTES;
}

static uint64_t random_background_offset(struct sim *sim)
{
	return random_offset(sim, sim->config->background_offset, background_bytes(sim->config));
}

/* A stream begins again where its part of the disk ends. */
static uint64_t go_on(const struct vhdd_sim_config *config, uint64_t *position)
{
	uint64_t end = config->background_offset + background_bytes(config);
	uint64_t offset = *position;

	if (end - offset < config->request_bytes)
		offset = config->background_offset;
	*position = offset + config->request_bytes;
	return offset;
}

static uint64_t next_offset(struct sim *sim, struct client *client)
{
	if (client == NULL || client->foreground)
		return random_offset(sim, 0, sim->config->drive.size_bytes);
	switch (sim->config->background_places) {
	case VHDD_SIM_STREAMS:
		return go_on(sim->config, &client->position);
	case VHDD_SIM_ONE_STREAM:
		return go_on(sim->config, &sim->position);
	default:
		return random_background_offset(sim);
	}
}

static void set_background_class(struct sim *sim, struct sim_request *request)
{
	double place = vhdd_rng_uniform(&sim->rng);

	for (unsigned i = 0; i < VHDD_SIM_SHARES; i++) {
		const struct vhdd_sim_share *high = &sim->config->high[i];

		if (place < high->share) {
			request->class = VHDD_SIM_HIGH + i;
			request->host.drive.ioprio = high->ioprio;
			return;
		}
		place -= high->share;
	}
	request->class = VHDD_SIM_BACKGROUND;
	request->host.drive.ioprio = sim->config->background_ioprio;
}

static void set_class(struct sim *sim, struct sim_request *request)
{
	if (request->client != NULL && !request->client->foreground) {
		request->host.drive.write = sim->config->background_write;
		request->host.drive.fua = sim->config->background_fua;
		set_background_class(sim, request);
		return;
	}
	request->class = VHDD_SIM_FOREGROUND;
	request->host.drive.ioprio = sim->config->foreground_ioprio;
}

/* A client, or the open loop for NULL, asks for its next read. */
static int ask(struct sim *sim, struct client *client, int64_t now_ns)
{
	struct sim_request *request = calloc(1, sizeof(*request));

	if (request == NULL)
		return -ENOMEM;
	request->client = client;
	set_class(sim, request);
	request->host.drive.offset = next_offset(sim, client);
	request->host.drive.length = sim->config->request_bytes;
	if (client != NULL)
		client->wake_ns = NEVER;
	return vhdd_station_submit(&sim->station, &request->host, now_ns);
}

static struct client *next_client(struct sim *sim)
{
	struct client *first = NULL;

	for (unsigned i = 0; i < sim->client_count; i++) {
		struct client *client = &sim->clients[i];
		if (client->wake_ns != NEVER && (first == NULL || client->wake_ns < first->wake_ns))
			first = client;
	}
	return first;
}

static void plan_arrival(struct sim *sim, int64_t now_ns)
{
	double mean_ns = SECOND_NS / sim->config->foreground_rate;

	sim->arrival_ns = now_ns + llround(vhdd_rng_exponential(&sim->rng, mean_ns));
}

static void begin_measuring(struct sim *sim, int64_t now_ns)
{
	memset(sim->result->latency, 0, sizeof(sim->result->latency));
	sim->begin_ns = now_ns;
}

static int answer(struct sim *sim, int64_t now_ns)
{
	struct vhdd_host_request *answered;
	int result = vhdd_station_answer(&sim->station, now_ns, &answered);
	struct sim_request *request = (struct sim_request *)answered;

	if (request == NULL)
		return result;
	vhdd_histogram_record(&sim->result->latency[request->class],
			      now_ns - request->host.submit_ns);
	if (request->client != NULL)
		request->client->wake_ns = now_ns + sim->config->host_ns;
	free(request);
	if (++sim->answers == sim->config->warmup)
		begin_measuring(sim, now_ns);
	return result;
}

static bool done(const struct sim *sim)
{
	const struct vhdd_sim_config *config = sim->config;
	const struct vhdd_histogram *latency = sim->result->latency;
	uint64_t count = latency[VHDD_SIM_FOREGROUND].count;

	if (sim->answers < config->warmup)
		return false;
	if (config->foreground == 0 && config->foreground_rate <= 0)
		for (unsigned class = 0; class < VHDD_SIM_FOREGROUND; class++)
			count += latency[class].count;
	return count >= config->samples;
}

/* The next request of a client or of the open loop comes. */
static int ask_next(struct sim *sim, struct client *client, int64_t now_ns)
{
	int result;

	if (client != NULL && client->wake_ns == now_ns)
		return ask(sim, client, now_ns);
	result = ask(sim, NULL, now_ns);
	plan_arrival(sim, now_ns);
	return result;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Does what comes next. At equal times an answer goes before a request, and a request before a choice. */
static int step(struct sim *sim, int64_t *now_ns)
{
	struct client *client = next_client(sim);
	int64_t asked_ns = earlier(client == NULL ? NEVER : client->wake_ns, sim->arrival_ns);
	int64_t answer_ns = vhdd_station_answer_ns(&sim->station);
	int64_t choice_ns = vhdd_station_choice_ns(&sim->station);

	*now_ns = earlier(answer_ns, earlier(asked_ns, choice_ns));
	if (*now_ns == answer_ns)
		return answer(sim, *now_ns);
	if (*now_ns == asked_ns)
		return ask_next(sim, client, *now_ns);
	vhdd_station_choose(&sim->station, *now_ns);
	return 0;
}

static int start(struct sim *sim)
{
	const struct vhdd_sim_config *config = sim->config;
	int result = vhdd_station_init(&sim->station, &config->drive, config->host, config->tags);

	sim->rng.state = config->seed;
	sim->position = config->background_offset;
	sim->arrival_ns = NEVER;
	sim->client_count = config->background + config->foreground;
	sim->clients = calloc(sim->client_count + 1, sizeof(*sim->clients));
	if (result != 0 || sim->clients == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < sim->client_count; i++) {
		sim->clients[i].foreground = i >= config->background;
		sim->clients[i].position = random_background_offset(sim);
	}
	if (config->foreground_rate > 0)
		plan_arrival(sim, 0);
	return 0;
}

static void free_request(struct vhdd_host_request *request)
{
	free(request); /* the first member of a struct sim_request */
}

static void finish(struct sim *sim)
{
	vhdd_station_destroy(&sim->station, free_request);
	sim->result->max_queue = sim->station.max_queue;
	free(sim->clients);
}

int vhdd_sim_run(const struct vhdd_sim_config *config, struct vhdd_sim_result *result, char *error,
		 size_t size)
{
	struct sim sim = {.config = config, .result = result};
	int64_t now_ns = 0;
	int status = check(config, error, size);

	if (status != 0)
		return status;
	memset(result, 0, sizeof(*result));
	status = start(&sim);
	while (status == 0 && !done(&sim))
		status = step(&sim, &now_ns);
	result->duration_ns = now_ns - sim.begin_ns;
	if (status != 0)
		snprintf(error, size, "simulation: %s", strerror(-status));
	finish(&sim);
	return status;
}

double vhdd_sim_iops(const struct vhdd_sim_result *result, enum vhdd_sim_class class)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < VHDD_SIM_CLASSES; i++) {
		if (class == VHDD_SIM_CLASSES || i == class)
			count += result->latency[i].count;
	}
	return result->duration_ns == 0
		       ? 0
		       : (double)count / ((double)result->duration_ns / SECOND_NS);
}
