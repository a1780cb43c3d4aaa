// SPDX-License-Identifier: Apache-2.0
#include "feed.h"

#include "number.h"
#include "station.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n"
#define SECTOR_BYTES 512

struct feed {
	struct vhdd_station station;
	uint64_t disk_bytes;
	int64_t now_ns;
};

struct feed_request {
	struct vhdd_host_request host; /* first: the station hands it back */
	uint64_t number;
};

static void free_request(struct vhdd_host_request *request)
{
	free(request); /* the first member of a struct feed_request */
}

/* The next part of a line as a number. */
static bool next_number(char **rest, uint64_t max, uint64_t *number)
{
	const char *part = strtok_r(NULL, BLANKS, rest);

	return part != NULL && hprio_parse_whole(part, 0, max, number);
}

static int take_read(struct feed *feed, char **rest, char *error, size_t size)
{
	uint64_t number;
	uint64_t offset;
	uint64_t length;
	struct feed_request *request;
	const char *priority;

	if (!next_number(rest, UINT64_MAX, &number) || !next_number(rest, UINT64_MAX, &offset) ||
	    !next_number(rest, UINT32_MAX, &length) ||
	    (priority = strtok_r(NULL, BLANKS, rest)) == NULL || strtok_r(NULL, BLANKS, rest) != NULL) {
		snprintf(error, size, "allowed is: r NUMBER OFFSET LENGTH PRIO");
		return -EINVAL;
	}
	if (length == 0 || length % SECTOR_BYTES != 0 || offset % SECTOR_BYTES != 0 ||
	    length > feed->disk_bytes || offset > feed->disk_bytes - length) {
		snprintf(error, size,
			 "offset %" PRIu64 ", length %" PRIu64 ": allowed are multiples of 512 within "
			 "the disk's %" PRIu64 " bytes",
			 offset, length, feed->disk_bytes);
		return -EINVAL;
	}
	request = calloc(1, sizeof(*request));
	if (request == NULL)
		return -ENOMEM;
	request->number = number;
	request->host.drive.offset = offset;
	request->host.drive.length = (uint32_t)length;
	if (hprio_ioprio_parse(priority, true, &request->host.drive.ioprio, error, size) != 0) {
		free(request);
		return -EINVAL;
	}
	return vhdd_station_submit(&feed->station, &request->host, feed->now_ns);
}

/*
 * The next request that is answered until then, or NULL. At equal times an answer goes before what the program
 * does next, and that before a choice.
 */
static int next_answer(struct feed *feed, int64_t until_ns, struct vhdd_host_request **answered)
{
	struct vhdd_station *station = &feed->station;
	int result = 0;

	*answered = NULL;
	while (result == 0 && *answered == NULL) {
		int64_t answer_ns = vhdd_station_answer_ns(station);
		int64_t choice_ns = vhdd_station_choice_ns(station);

		if (choice_ns < until_ns && choice_ns < answer_ns) {
			vhdd_station_choose(station, choice_ns);
		} else if (answer_ns <= until_ns) {
			feed->now_ns = answer_ns;
			result = vhdd_station_answer(station, answer_ns, answered);
		} else {
			feed->now_ns = until_ns;
			break;
		}
	}
	return result;
}

static int pass_time(struct feed *feed, int64_t until_ns, FILE *out)
{
	struct vhdd_host_request *answered;
	int result = next_answer(feed, until_ns, &answered);

	if (answered == NULL)
		fprintf(out, "t %" PRId64 "\n", feed->now_ns);
	else
		fprintf(out, "a %" PRIu64 " %" PRId64 "\n",
			((struct feed_request *)answered)->number, feed->now_ns);
	free(answered);
	return result;
}

static int take_time(struct feed *feed, char **rest, FILE *out, char *error, size_t size)
{
	uint64_t until_ns;
	int result;

	if (!next_number(rest, INT64_MAX, &until_ns) || strtok_r(NULL, BLANKS, rest) != NULL) {
		snprintf(error, size, "allowed is: t NS");
		return -EINVAL;
	}
	if ((int64_t)until_ns < feed->now_ns) {
		snprintf(error, size, "%" PRIu64 ": allowed is the time, %" PRId64 " ns, or later",
			 until_ns, feed->now_ns);
		return -EINVAL;
	}
	result = pass_time(feed, (int64_t)until_ns, out);
	return result == 0 && fflush(out) != 0 ? -errno : result;
}

static int take_line(struct feed *feed, char *line, FILE *out, char *error, size_t size)
{
	char *rest = NULL;
	const char *what = strtok_r(line, BLANKS, &rest);

	if (what != NULL && strcmp(what, "r") == 0)
		return take_read(feed, &rest, error, size);
	if (what != NULL && strcmp(what, "t") == 0)
		return take_time(feed, &rest, out, error, size);
	snprintf(error, size, "allowed are: r NUMBER OFFSET LENGTH PRIO, or t NS");
	return -EINVAL;
}

static int take_lines(struct feed *feed, FILE *in, FILE *out, char *error, size_t size)
{
	char *line = NULL;
	size_t capacity = 0;
	uint64_t count = 0;
	int result = 0;

	while (result == 0 && getline(&line, &capacity, in) >= 0) {
		char reason[256] = "";

		count++;
		result = take_line(feed, line, out, reason, sizeof(reason));
		if (result != 0)
			snprintf(error, size, "line %" PRIu64 ": %s", count,
				 reason[0] != '\0' ? reason : strerror(-result));
	}
	free(line);
	return result;
}

int vhdd_feed_run(const struct vhdd_params *drive, enum vhdd_host_scheduler scheduler,
		  unsigned tags, FILE *in, FILE *out, char *error, size_t size)
{
	struct feed feed = {.disk_bytes = drive->size_bytes};
	int result;

	if (tags == 0) {
		snprintf(error, size, "tags=0: allowed is 1 or more");
		return -EINVAL;
	}
	result = vhdd_params_check(drive, error, size);
	if (result != 0)
		return result;
	result = vhdd_station_init(&feed.station, drive, scheduler, tags);
	if (result == 0)
		result = take_lines(&feed, in, out, error, size);
	else
		snprintf(error, size, "simulation: %s", strerror(-result));
	vhdd_station_destroy(&feed.station, free_request);
	return result;
}
