// SPDX-License-Identifier: Apache-2.0
#include "target.h"

#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* A disk with the number of targets on it. */
struct shared_disk {
	LIST_ENTRY(shared_disk) link;
	dev_t number;
	unsigned targets;
	struct pbs_disk *disk;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static LIST_HEAD(, shared_disk) disks = LIST_HEAD_INITIALIZER(disks);

static struct shared_disk *find_disk(dev_t number)
{
	struct shared_disk *shared;

	LIST_FOREACH (shared, &disks, link)
		if (shared->number == number)
			return shared;
	return NULL;
}

/* NULL after a failure. */
static struct shared_disk *add_disk(const struct pbs_volume_info *info, dev_t number,
				    const struct pbs_nodes *nodes, unsigned in_flight,
				    struct pbs_failure *failure)
{
	struct shared_disk *shared = calloc(1, sizeof(*shared));
	unsigned half = info->queue_depth > 1 ? (unsigned)info->queue_depth / 2 : 1;
	struct pbs_nodes unused = *nodes;

	if (!shared) {
		pbs_nodes_close(&unused);
		pbs_fail(failure, PBS_REASON_RESOURCES, "no memory for a disk");
		return NULL;
	}
	if (pbs_disk_open(info, nodes, in_flight < half ? in_flight : half, &shared->disk,
			  failure)) {
		free(shared);
		return NULL;
	}
	shared->number = number;
	LIST_INSERT_HEAD(&disks, shared, link);
	return shared;
}

static struct shared_disk *share_disk(const struct pbs_volume_info *info,
				      const struct pbs_nodes *nodes, unsigned in_flight,
				      struct pbs_failure *failure)
{
	dev_t number = makedev((unsigned)info->disk_major, (unsigned)info->disk_minor);
	struct pbs_nodes unused = *nodes;
	struct shared_disk *shared;

	pthread_mutex_lock(&lock);
	shared = find_disk(number);
	if (shared)
		pbs_nodes_close(&unused);
	else
		shared = add_disk(info, number, nodes, in_flight, failure);
	if (shared)
		shared->targets++;
	pthread_mutex_unlock(&lock);
	return shared;
}

static void release_disk(struct shared_disk *shared)
{
	bool last;

	pthread_mutex_lock(&lock);
	last = --shared->targets == 0;
	if (last)
		LIST_REMOVE(shared, link);
	pthread_mutex_unlock(&lock);
	if (!last)
		return;
	pbs_disk_close(shared->disk);
	free(shared);
}

int pbs_handles_open(const struct pbs_volume_info *info, struct pbs_handles *handles,
		     struct pbs_failure *failure)
{
	dev_t device = makedev((unsigned)info->device_major, (unsigned)info->device_minor);

	handles->partition = pbs_node_open(info->device, O_RDONLY, S_IFBLK, device);
	if (handles->partition < 0)
		return pbs_fail(failure, PBS_REASON_RIGHTS, "/dev/%s: %s", info->device,
				strerror(errno));
	if (pbs_nodes_open(info, &handles->nodes, failure) == 0)
		return 0;
	close(handles->partition);
	return -1;
}

int pbs_target_make(const struct pbs_volume_info *info, const struct pbs_handles *handles,
		    unsigned in_flight, struct pbs_target **target, struct pbs_failure *failure)
{
	struct pbs_target *made = calloc(1, sizeof(*made));
	struct shared_disk *disk = share_disk(info, &handles->nodes, in_flight, failure);

	if (!made && disk)
		pbs_fail(failure, PBS_REASON_RESOURCES, "no memory for a volume");
	if (!made || !disk) {
		close(handles->partition);
		if (disk)
			release_disk(disk);
		free(made);
		return -1;
	}
	made->disk = disk;
	made->drive = pbs_disk_drive(disk->disk);
	made->device = makedev((unsigned)info->device_major, (unsigned)info->device_minor);
	made->geometry = (struct pbs_geometry){
		.start_bytes = (uint64_t)info->partition_start_bytes,
		.block_bytes = (uint32_t)info->logical_block_bytes,
		.command_bytes = (uint32_t)info->command_bytes,
	};
	strcpy(made->name, info->device);
	made->partition = handles->partition;
	*target = made;
	return 0;
}

int pbs_target_open(const struct pbs_volume_info *info, unsigned in_flight,
		    struct pbs_target **target, struct pbs_failure *failure)
{
	struct pbs_handles handles;

	return pbs_handles_open(info, &handles, failure) ||
			       pbs_target_make(info, &handles, in_flight, target, failure)
		       ? -1
		       : 0;
}

void pbs_target_close(struct pbs_target *target)
{
	if (!target)
		return;
	release_disk(target->disk);
	close(target->partition);
	free(target);
}

int pbs_target_geometry(const struct pbs_target *target, struct pbs_geometry *geometry,
			struct pbs_failure *failure)
{
	*geometry = target->geometry;
	if (ioctl(target->partition, BLKGETSIZE64, &geometry->bytes))
		return pbs_fail(failure, PBS_REASON_GONE, "/dev/%s: its size: %s", target->name,
				strerror(errno));
	return 0;
}
