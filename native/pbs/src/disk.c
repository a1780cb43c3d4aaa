// SPDX-License-Identifier: Apache-2.0
#include "disk.h"

#include "node.h"
#include "sgio.h"
#include "survey.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The kernel's own limit for a disk (SD_TIMEOUT). After it the kernel resets the link. */
#define COMMAND_TIMEOUT_MS 30000
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

/* Reads the disk's first block: it holds no secret, and the seek is short. */
static int try_node(struct pbs_nodes *nodes, const struct pbs_volume_info *info, const char *name,
		    struct pbs_failure *failure)
{
	const struct pbs_ata_read read = {
		.blocks = 1,
		.block_bytes = (uint32_t)info->logical_block_bytes,
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
	return pbs_fail(failure, found.reason, "/dev/%s does not accept READ FPDMA QUEUED: %.150s", name,
			found.text);
}

int pbs_nodes_open(const struct pbs_volume_info *info, struct pbs_nodes *nodes,
		   struct pbs_failure *failure)
{
	dev_t number = makedev((unsigned)info->disk_major, (unsigned)info->disk_minor);
	char sg[PBS_NAME];
	dev_t sg_number;

	*nodes = (struct pbs_nodes){0};
	if (pbs_survey_sg("/sys", number, sg, &sg_number) && open_sg(nodes, sg, sg_number) == 0 &&
	    try_node(nodes, info, sg, failure) == 0)
		return 0;
	return open_block(nodes, info, failure) || try_node(nodes, info, info->disk, failure) ? -1 : 0;
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
