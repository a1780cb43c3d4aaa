// SPDX-License-Identifier: Apache-2.0
#include "disk.h"

#include "node.h"
#include "sgio.h"
#include "survey.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The kernel's own limit for a disk (SD_TIMEOUT). After it the kernel resets the link. */
#define COMMAND_TIMEOUT_MS 30000
#define NS_PER_S INT64_C(1000000000)
/* How long a disk that has refused the first command is not asked again. */
#define REST_NS (600 * NS_PER_S)

/*
 * A disk that does not know the command that tries it. The kernel then ends all other commands in its queue, so it is
 * not to be tried each time that somebody wants to open a volume.
 */
struct refusal {
	LIST_ENTRY(refusal) link;
	char disk[PBS_IDENTITY];
	int64_t until;
	struct pbs_failure failure;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static LIST_HEAD(, refusal) refusals = LIST_HEAD_INITIALIZER(refusals);

struct pbs_disk {
	struct pbs_drive *drive;
	struct pbs_nodes nodes;
};

static int execute(void *context, unsigned thread, const struct pbs_ata_read *read, void *buffer,
		   struct pbs_failure *failure)
{
	const struct pbs_nodes *nodes = context;

	return pbs_sgio_read(nodes->node[thread % nodes->count], read, buffer, COMMAND_TIMEOUT_MS,
			     failure);
}

void pbs_nodes_close(struct pbs_nodes *nodes)
{
	while (nodes->count > 0)
		close(nodes->node[--nodes->count]);
}

static int open_sg(struct pbs_nodes *nodes, const char *name, dev_t number)
{
	for (nodes->count = 0; nodes->count < PBS_MAX_NODES; nodes->count++) {
		nodes->node[nodes->count] = pbs_node_open(name, O_RDWR, S_IFCHR, number);
		if (nodes->node[nodes->count] < 0) {
			pbs_nodes_close(nodes);
			return -1;
		}
	}
	return 0;
}

static int open_block(struct pbs_nodes *nodes, const struct pbs_volume_info *info,
		      struct pbs_failure *failure)
{
	dev_t number = makedev((unsigned)info->disk_major, (unsigned)info->disk_minor);

	nodes->node[0] = pbs_node_open(info->disk, O_RDONLY, S_IFBLK, number);
	if (nodes->node[0] < 0)
		return pbs_fail(failure, PBS_REASON_RIGHTS, "/dev/%s: %s", info->disk,
				strerror(errno));
	nodes->count = 1;
	nodes->need_rawio = true;
	return 0;
}

/* Under the lock. Of any disk, as those that are gone are not asked for again. */
static void forget_old_refusals(void)
{
	const int64_t now = pbs_now();
	struct refusal *refusal = LIST_FIRST(&refusals);

	while (refusal) {
		struct refusal *next = LIST_NEXT(refusal, link);

		if (now >= refusal->until) {
			LIST_REMOVE(refusal, link);
			free(refusal);
		}
		refusal = next;
	}
}

/* Whether the disk is not to be asked now, and why. */
static bool rests(const char *disk, struct pbs_failure *failure)
{
	const struct refusal *refusal;

	pthread_mutex_lock(&lock);
	forget_old_refusals();
	LIST_FOREACH (refusal, &refusals, link)
		if (strcmp(refusal->disk, disk) == 0)
			break;
	if (refusal)
		*failure = refusal->failure;
	pthread_mutex_unlock(&lock);
	return refusal;
}

static void remember_refusal(const char *disk, const struct pbs_failure *failure)
{
	struct refusal *refusal = calloc(1, sizeof(*refusal));

	if (!refusal)
		return;
	snprintf(refusal->disk, sizeof(refusal->disk), "%s", disk);
	refusal->until = pbs_now() + REST_NS;
	refusal->failure = *failure;
	pthread_mutex_lock(&lock);
	LIST_INSERT_HEAD(&refusals, refusal, link);
	pthread_mutex_unlock(&lock);
}

/*
 * Reads the disk's first block: it holds no secret, and the seek is short. At the level that a DataNode's reads have: a
 * drive may abort that one only. As pbs_sgio_read.
 */
static int try_node(struct pbs_nodes *nodes, const struct pbs_volume_info *info, const char *name,
		    struct pbs_failure *failure)
{
	const struct pbs_ata_read read = {
		.blocks = 1,
		.block_bytes = (uint32_t)info->logical_block_bytes,
		.level = PBS_LEVEL_HIGH,
	};
	struct pbs_failure found;
	void *buffer;
	int result;

	if (posix_memalign(&buffer, 4096, read.block_bytes))
		return pbs_fail(failure, PBS_REASON_RESOURCES, "no memory");
	result = execute(nodes, 0, &read, buffer, &found);
	free(buffer);
	if (result == 0)
		return 0;
	pbs_nodes_close(nodes);
	if (found.reason == PBS_REASON_RIGHTS)
		return pbs_fail(failure, found.reason,
				"/dev/%s: commands to the disk need CAP_SYS_RAWIO, or an sg node "
				"that may be opened for writing",
				name);
	pbs_fail(failure, found.reason, "/dev/%s does not accept READ FPDMA QUEUED: %.150s", name, found.text);
	return result;
}

/* As try_node. */
static int open_and_try(const struct pbs_volume_info *info, dev_t number, struct pbs_nodes *nodes,
			struct pbs_failure *failure)
{
	char sg[PBS_NAME];
	dev_t sg_number;
	int result;

	if (pbs_survey_sg("/sys", number, sg, &sg_number) && open_sg(nodes, sg, sg_number) == 0) {
		result = try_node(nodes, info, sg, failure);
		/* What the drive has failed, it would fail through its other node, too. */
		if (result == 0 || failure->reason != PBS_REASON_RIGHTS)
			return result;
	}
	result = open_block(nodes, info, failure);
	return result ? result : try_node(nodes, info, info->disk, failure);
}

int pbs_nodes_open(const struct pbs_volume_info *info, struct pbs_nodes *nodes,
		   struct pbs_failure *failure)
{
	dev_t number = makedev((unsigned)info->disk_major, (unsigned)info->disk_minor);
	char disk[PBS_IDENTITY];
	int result;

	*nodes = (struct pbs_nodes){0};
	/* Before it is asked: if it is replaced meanwhile, the answer is not taken for the new one's. */
	pbs_survey_identity("/sys", number, disk);
	if (rests(disk, failure))
		return -1;
	result = open_and_try(info, number, nodes, failure);
	if (result == PBS_SGIO_REFUSED)
		remember_refusal(disk, failure);
	return result ? -1 : 0;
}

bool pbs_nodes_without_sg(void)
{
	return access("/sys/class/scsi_generic", F_OK) != 0;
}

int pbs_disk_open(const struct pbs_volume_info *info, const struct pbs_nodes *nodes,
		  unsigned in_flight, struct pbs_disk **disk, struct pbs_failure *failure)
{
	struct pbs_nodes unused = *nodes;
	struct pbs_disk *made = calloc(1, sizeof(*made));

	if (made) {
		const struct pbs_drive_config config = {
			.execute = execute,
			.context = &made->nodes,
			.in_flight = in_flight,
			.block_bytes = (uint32_t)info->logical_block_bytes,
			.command_bytes = (uint32_t)info->command_bytes,
		};

		made->nodes = *nodes;
		if (pbs_drive_open(&config, &made->drive) == 0) {
			*disk = made;
			return 0;
		}
	}
	free(made);
	pbs_nodes_close(&unused);
	return pbs_fail(failure, PBS_REASON_RESOURCES, "no memory for a disk");
}

void pbs_disk_close(struct pbs_disk *disk)
{
	pbs_drive_close(disk->drive);
	pbs_nodes_close(&disk->nodes);
	free(disk);
}

struct pbs_drive *pbs_disk_drive(const struct pbs_disk *disk)
{
	return disk->drive;
}
