// SPDX-License-Identifier: Apache-2.0
/*
 * Many volumes read at the same time through one helper:
 *
 *   many_volumes SOCKET READERS FILE...
 *
 * Each FILE is on a volume of its own, which READERS threads read at once. Fails unless the helper served
 * every read; then waits until all connections that no read uses are closed, and reads once more.
 */
#include "hprio_pbs.h"

#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_VOLUMES 64
#define MAX_READERS 64
#define READS 3
#define READ_BYTES 4096
/* Far longer than a connection is kept. */
#define PATIENCE_S 120

struct volume {
	struct pbs_volume *volume;
	struct pbs_file *file;
};

static struct volume volumes[MAX_VOLUMES];
static unsigned count;
static pthread_barrier_t start;

static void open_volume(const char *socket, const char *path)
{
	struct volume *made = &volumes[count++];
	struct pbs_volume_info info;
	struct pbs_options options;
	char error[PBS_TEXT];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	pbs_options_init(&options);
	options.access = PBS_ACCESS_HELPER;
	options.helper = socket;
	options.raise_after_ms = 0;
	if (fd < 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		err(EXIT_FAILURE, "%s", path);
	if (pbs_volume_open(path, &options, &made->volume, error))
		errx(EXIT_FAILURE, "%s", error);
	pbs_volume_info(made->volume, &info);
	if (info.access != PBS_ACCESS_HELPER)
		errx(EXIT_FAILURE, "%s: %s", path, info.ncq_refused);
	if (pbs_file_open(made->volume, fd, &made->file))
		errx(EXIT_FAILURE, "%s: pbs_file_open", path);
	close(fd);
}

/* The level that the disk of these tests answers slowly. */
static void read_once(const struct volume *volume, unsigned number)
{
	struct pbs_outcome outcome;
	char buffer[READ_BYTES];

	if (pbs_read_ncq(volume->file, buffer, READ_BYTES, (int64_t)number * READ_BYTES,
			 PBS_LEVEL_NORMAL, 0, &outcome) != READ_BYTES)
		errx(EXIT_FAILURE, "a read failed");
	if (outcome.way != PBS_WAY_NCQ)
		errx(EXIT_FAILURE, "a read went way %s: %s: %s", pbs_way_name(outcome.way),
		     pbs_reason_name(outcome.reason), outcome.text);
}

static void *read_some(void *argument)
{
	pthread_barrier_wait(&start);
	for (unsigned i = 0; i < READS; i++)
		read_once(argument, i);
	return NULL;
}

static void read_all(unsigned readers)
{
	static pthread_t threads[MAX_VOLUMES * MAX_READERS];

	pthread_barrier_init(&start, NULL, count * readers);
	for (unsigned i = 0; i < count * readers; i++)
		if (pthread_create(&threads[i], NULL, read_some, &volumes[i % count]))
			errx(EXIT_FAILURE, "no thread");
	for (unsigned i = 0; i < count * readers; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
}

/* Sockets that this process has opened: its connections to the helper. */
static unsigned connections(void)
{
	DIR *directory = opendir("/proc/self/fd");
	const struct dirent *entry;
	unsigned sockets = 0;
	struct stat status;

	while (directory && (entry = readdir(directory)))
		if (atoi(entry->d_name) > STDERR_FILENO &&
		    fstat(atoi(entry->d_name), &status) == 0 && S_ISSOCK(status.st_mode))
			sockets++;
	closedir(directory);
	return sockets;
}

int main(int argc, char **argv)
{
	unsigned readers = argc > 3 ? (unsigned)atoi(argv[2]) : 0;

	if (readers < 1 || readers > MAX_READERS || argc - 3 > MAX_VOLUMES)
		errx(EXIT_FAILURE, "usage: many_volumes SOCKET READERS FILE...");
	for (int i = 3; i < argc; i++)
		open_volume(argv[1], argv[i]);
	read_all(readers);
	printf("%u volumes, %u readers each: all %u reads by the helper, %u connections\n", count,
	       readers, count * readers * READS, connections());
	for (unsigned i = 0; connections() > 0; i++) {
		if (i == PATIENCE_S)
			errx(EXIT_FAILURE, "%u connections are still open", connections());
		sleep(1);
	}
	puts("idle connections are closed");
	for (unsigned i = 0; i < count; i++)
		read_once(&volumes[i], READS);
	for (unsigned i = 0; i < count; i++) {
		pbs_file_close(volumes[i].file);
		pbs_volume_close(volumes[i].volume);
	}
	if (connections() > 0)
		errx(EXIT_FAILURE, "%u connections after the volumes were closed", connections());
	return EXIT_SUCCESS;
}
