// SPDX-License-Identifier: Apache-2.0
/*
 * A disk for integration tests where there is no SATA disk: takes the place of src/disk.c. A loop
 * device answers the reads of blocks; all else is as it is shipped.
 *
 * PBS_TEST_NORMAL_MS: normal commands take so many milliseconds, as if the drive had more urgent ones.
 */
#include "disk.h"
#include "survey.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUEUE_DEPTH 32
#define COMMAND_BYTES 65536

struct pbs_disk {
	struct pbs_drive *drive;
	int fd;
	unsigned normal_ms;
};

void __real_pbs_survey(const char *sysfs, const char *proc, dev_t device,
		       const struct hprio_mount *mount, struct pbs_volume_info *info);
void __wrap_pbs_survey(const char *sysfs, const char *proc, dev_t device,
		       const struct hprio_mount *mount, struct pbs_volume_info *info);

/* Loop devices are refused as they are no SATA disks, with a queue: here they are. */
void __wrap_pbs_survey(const char *sysfs, const char *proc, dev_t device,
		       const struct hprio_mount *mount, struct pbs_volume_info *info)
{
	__real_pbs_survey(sysfs, proc, device, mount, info);
	if (!strstr(info->ncq_refused, "is a loop device"))
		return;
	info->ncq_refused[0] = '\0';
	info->queue_depth = QUEUE_DEPTH;
	info->command_bytes = COMMAND_BYTES;
}

static int execute(void *context, unsigned thread, const struct pbs_ata_read *read, void *buffer,
		   struct pbs_failure *failure)
{
	const struct pbs_disk *disk = context;
	size_t bytes = (size_t)read->blocks * read->block_bytes;

	(void)thread;
	if (read->level == PBS_LEVEL_NORMAL)
		usleep(disk->normal_ms * 1000);
	if (pread(disk->fd, buffer, bytes, (off_t)(read->lba * read->block_bytes)) != (ssize_t)bytes)
		return pbs_fail(failure, PBS_REASON_COMMAND, "%s", strerror(errno));
	return 0;
}

int pbs_nodes_open(const struct pbs_volume_info *info, struct pbs_nodes *nodes,
		   struct pbs_failure *failure)
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/%s", info->disk);
	*nodes = (struct pbs_nodes){.count = 1};
	nodes->node[0] = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (nodes->node[0] < 0)
		return pbs_fail(failure, PBS_REASON_RIGHTS, "%s: %s", path, strerror(errno));
	return 0;
}

void pbs_nodes_close(struct pbs_nodes *nodes)
{
	while (nodes->count > 0)
		close(nodes->node[--nodes->count]);
}

bool pbs_nodes_without_sg(void)
{
	return false;
}

int pbs_disk_open(const struct pbs_volume_info *info, const struct pbs_nodes *nodes,
		  unsigned in_flight, struct pbs_disk **disk, struct pbs_failure *failure)
{
	struct pbs_disk *made = calloc(1, sizeof(*made));
	const struct pbs_drive_config config = {
		.execute = execute,
		.context = made,
		.in_flight = in_flight,
		.block_bytes = (uint32_t)info->logical_block_bytes,
		.command_bytes = (uint32_t)info->command_bytes,
	};
	const char *normal_ms = getenv("PBS_TEST_NORMAL_MS");

	(void)failure;
	made->fd = nodes->node[0];
	made->normal_ms = normal_ms ? (unsigned)atoi(normal_ms) : 0;
	*disk = made;
	return pbs_drive_open(&config, &made->drive);
}

void pbs_disk_close(struct pbs_disk *disk)
{
	pbs_drive_close(disk->drive);
	close(disk->fd);
	free(disk);
}

struct pbs_drive *pbs_disk_drive(const struct pbs_disk *disk)
{
	return disk->drive;
}
