// SPDX-License-Identifier: Apache-2.0
#include "cdl_drive.h"

#include "cdl_read.h"
#include "node.h"
#include "sgio.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The kernel's own limit for a disk (SD_TIMEOUT). After it the kernel resets the link. */
#define QUERY_TIMEOUT_MS 30000

static int send_query(void *context, struct pbs_scsi_query *query, struct pbs_failure *failure)
{
	return pbs_sgio_query(*(const int *)context, query, QUERY_TIMEOUT_MS, failure);
}

/* An sg node that may be opened for writing takes any command; else the kernel asks for CAP_SYS_RAWIO. */
static int open_node(const struct pbs_disk_info *disk, struct pbs_failure *failure)
{
	char sg[PBS_NAME];
	dev_t number;
	int fd = -1;

	if (pbs_survey_sg("/sys", disk->number, sg, &number))
		fd = pbs_node_open(sg, O_RDWR, S_IFCHR, number);
	if (fd < 0)
		fd = pbs_node_open(disk->name, O_RDONLY, S_IFBLK, disk->number);
	if (fd < 0)
		return pbs_fail(failure, PBS_REASON_RIGHTS, "/dev/%s: %s", disk->name,
				strerror(errno));
	return fd;
}

int pbs_cdl_read_drive(const struct pbs_disk_info *disk, struct pbs_cdl *cdl,
		       struct pbs_failure *failure)
{
	int fd = open_node(disk, failure);
	const struct pbs_cdl_device device = {
		.ata = disk->ata,
		.gpl = disk->gpl,
		.query = send_query,
		.context = &fd,
	};
	int result;

	if (fd < 0)
		return -1;
	result = pbs_cdl_read(&device, cdl, failure);
	close(fd);
	return result;
}
