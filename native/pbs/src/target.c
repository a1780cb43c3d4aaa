#include "target.h"

#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int pbs_target_open(const struct pbs_volume_info *info, uint32_t command_bytes,
		    struct pbs_target *target, struct pbs_failure *failure)
{
	*target = (struct pbs_target){
		.device = makedev((unsigned)info->device_major, (unsigned)info->device_minor),
		.geometry = {
			.start_bytes = (uint64_t)info->partition_start_bytes,
			.bytes = (uint64_t)info->partition_bytes,
			.block_bytes = (uint32_t)info->logical_block_bytes,
			.command_bytes = command_bytes,
		},
	};
	strcpy(target->name, info->device);
	target->partition = pbs_node_open(info->device, O_RDONLY, S_IFBLK, target->device);
	if (target->partition < 0)
		return pbs_fail(failure, PBS_REASON_RIGHTS, "/dev/%s: %s", info->device,
				strerror(errno));
	return 0;
}

void pbs_target_close(struct pbs_target *target)
{
	close(target->partition);
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
