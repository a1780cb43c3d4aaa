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
/* An sg descriptor holds 16 commands (SG_MAX_QUEUE): this many hold one of each thread. */
#define NODES (PBS_MAX_THREADS / 16)

struct pbs_disk {
	struct pbs_drive *drive;
	bool needs_rawio;
	unsigned nodes;
	int node[NODES];
};

static int execute(void *context, unsigned thread, const struct pbs_ata_read *read, void *buffer,
		   struct pbs_failure *failure)
{
	const struct pbs_disk *disk = context;

	return pbs_sgio_read(disk->node[thread % disk->nodes], read, buffer, COMMAND_TIMEOUT_MS,
			     failure);
}

static void close_nodes(struct pbs_disk *disk)
{
	while (disk->nodes > 0)
		close(disk->node[--disk->nodes]);
}

static int open_sg(struct pbs_disk *disk, const char *name)
{
	for (disk->nodes = 0; disk->nodes < NODES; disk->nodes++) {
		disk->node[disk->nodes] = pbs_node_open(name, O_RDWR, S_IFCHR, 0);
		if (disk->node[disk->nodes] < 0) {
			close_nodes(disk);
			return -1;
		}
	}
	return 0;
}

static int open_block(struct pbs_disk *disk, const struct pbs_volume_info *info,
		      struct pbs_failure *failure)
{
	dev_t number = makedev((unsigned)info->disk_major, (unsigned)info->disk_minor);

	disk->node[0] = pbs_node_open(info->disk, O_RDONLY, S_IFBLK, number);
	if (disk->node[0] < 0)
		return pbs_fail(failure, PBS_REASON_RIGHTS, "/dev/%s: %s", info->disk,
				strerror(errno));
	disk->nodes = 1;
	disk->needs_rawio = true;
	return 0;
}

/* Reads the disk's first block: it holds no secret, and the seek is short. */
static int try_node(struct pbs_disk *disk, const struct pbs_volume_info *info, const char *name,
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
	result = execute(disk, 0, &read, buffer, &found);
	free(buffer);
	if (result == 0)
		return 0;
	close_nodes(disk);
	if (found.reason == PBS_REASON_RIGHTS)
		return pbs_fail(failure, found.reason,
				"/dev/%s: commands to the disk need CAP_SYS_RAWIO, or an sg node "
				"that may be opened for writing",
				name);
	return pbs_fail(failure, found.reason, "/dev/%s does not accept READ FPDMA QUEUED: %.150s", name,
			found.text);
}

static int open_nodes(struct pbs_disk *disk, const struct pbs_volume_info *info,
		      struct pbs_failure *failure)
{
	dev_t number = makedev((unsigned)info->disk_major, (unsigned)info->disk_minor);
	char sg[PBS_NAME];

	if (pbs_survey_sg("/sys", number, sg) && open_sg(disk, sg) == 0 &&
	    try_node(disk, info, sg, failure) == 0)
		return 0;
	return open_block(disk, info, failure) || try_node(disk, info, info->disk, failure) ? -1 : 0;
}

int pbs_disk_open(const struct pbs_volume_info *info, unsigned in_flight, struct pbs_disk **disk,
		  struct pbs_failure *failure)
{
	struct pbs_disk *made = calloc(1, sizeof(*made));
	struct pbs_drive_config config = {
		.execute = execute,
		.context = made,
		.in_flight = in_flight,
		.block_bytes = (uint32_t)info->logical_block_bytes,
		.command_bytes = (uint32_t)info->command_bytes,
	};

	if (!made)
		return pbs_fail(failure, PBS_REASON_RESOURCES, "no memory for a disk");
	if (open_nodes(made, info, failure)) {
		free(made);
		return -1;
	}
	if (pbs_drive_open(&config, &made->drive)) {
		close_nodes(made);
		free(made);
		return pbs_fail(failure, PBS_REASON_RESOURCES, "no memory for a disk");
	}
	*disk = made;
	return 0;
}

void pbs_disk_close(struct pbs_disk *disk)
{
	pbs_drive_close(disk->drive);
	close_nodes(disk);
	free(disk);
}

struct pbs_drive *pbs_disk_drive(const struct pbs_disk *disk)
{
	return disk->drive;
}

bool pbs_disk_needs_rawio(const struct pbs_disk *disk)
{
	return disk->needs_rawio;
}
