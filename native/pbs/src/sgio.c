// SPDX-License-Identifier: Apache-2.0
#include "sgio.h"

#include "sense.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

/* include/scsi/scsi_status.h of the kernel, enum scsi_host_status; they have no header for programs. */
#define HOST_NO_CONNECT 0x01
#define HOST_TIME_OUT 0x03
#define HOST_BAD_TARGET 0x04
/* include/scsi/sg.h of the kernel; the C library's header lacks them. */
#define FLAG_Q_AT_TAIL 0x10
#define FLAG_Q_AT_HEAD 0x20
/* Means that there is sense data; not an error by itself. */
#define DRIVER_SENSE 0x08

static int explain_errno(int error, struct pbs_failure *failure)
{
	enum pbs_reason reason = PBS_REASON_COMMAND;

	if (error == EPERM || error == EACCES)
		reason = PBS_REASON_RIGHTS;
	else if (error == ENODEV || error == ENXIO)
		reason = PBS_REASON_GONE;
	else if (error == ENOMEM)
		reason = PBS_REASON_RESOURCES;
	return pbs_fail(failure, reason, "SG_IO: %s", strerror(error));
}

int pbs_sgio_judge(const struct sg_io_hdr *answer, struct pbs_failure *failure)
{
	struct pbs_sense sense;
	char text[PBS_TEXT / 2];

	if (answer->status == 0 && answer->host_status == 0 &&
	    (answer->driver_status & ~DRIVER_SENSE) == 0 && answer->resid == 0)
		return 0;
	if (answer->host_status == HOST_NO_CONNECT || answer->host_status == HOST_BAD_TARGET)
		return pbs_fail(failure, PBS_REASON_GONE,
				"the drive no longer answers (host status 0x%x)",
				answer->host_status);
	if (answer->host_status == HOST_TIME_OUT)
		return pbs_fail(failure, PBS_REASON_TIMEOUT,
				"the kernel gave up waiting for the drive after %u ms",
				answer->timeout);
	if (pbs_sense_parse(answer->sbp, answer->sb_len_wr, &sense)) {
		pbs_fail(failure, PBS_REASON_COMMAND, "the drive says: %s",
			 pbs_sense_format(&sense, text, sizeof(text)));
		return pbs_sense_is_refusal(&sense) ? PBS_SGIO_REFUSED : -1;
	}
	return pbs_fail(failure, PBS_REASON_COMMAND,
			"SG_IO: status 0x%x, host status 0x%x, driver status 0x%x, %d bytes missing",
			answer->status, answer->host_status, answer->driver_status, answer->resid);
}

static int send(int fd, struct sg_io_hdr *request, struct pbs_failure *failure)
{
	while (ioctl(fd, SG_IO, request))
		if (errno != EINTR)
			return explain_errno(errno, failure);
	return 0;
}

int pbs_sgio_read(int fd, const struct pbs_ata_read *read, void *buffer, uint32_t timeout_ms,
		  struct pbs_failure *failure)
{
	uint8_t cdb[PBS_CDB_BYTES];
	uint8_t sense[PBS_MAX_SENSE];
	struct sg_io_hdr request = {
		.interface_id = 'S',
		.dxfer_direction = SG_DXFER_FROM_DEV,
		.cmdp = cdb,
		.cmd_len = sizeof(cdb),
		.dxferp = buffer,
		.dxfer_len = read->blocks * read->block_bytes,
		.sbp = sense,
		.mx_sb_len = sizeof(sense),
		.timeout = timeout_ms,
		.flags = read->level == PBS_LEVEL_NORMAL ? FLAG_Q_AT_TAIL : FLAG_Q_AT_HEAD,
	};

	pbs_ata_read_cdb(read, cdb);
	if (send(fd, &request, failure))
		return -1;
	return pbs_sgio_judge(&request, failure);
}

/* ILLEGAL REQUEST: invalid command operation code; invalid field in CDB. */
static bool is_unsupported(const struct sg_io_hdr *answer)
{
	struct pbs_sense sense;

	return answer->status != 0 && pbs_sense_parse(answer->sbp, answer->sb_len_wr, &sense) &&
	       sense.key == 0x5 && (sense.asc == 0x20 || sense.asc == 0x24);
}

int pbs_sgio_query(int fd, struct pbs_scsi_query *query, uint32_t timeout_ms,
		   struct pbs_failure *failure)
{
	uint8_t sense[PBS_MAX_SENSE];
	struct sg_io_hdr request = {
		.interface_id = 'S',
		.dxfer_direction = SG_DXFER_FROM_DEV,
		.cmdp = query->cdb,
		.cmd_len = query->cdb_bytes,
		.dxferp = query->buffer,
		.dxfer_len = query->bytes,
		.sbp = sense,
		.mx_sb_len = sizeof(sense),
		.timeout = timeout_ms,
		.flags = FLAG_Q_AT_TAIL,
	};

	query->received = 0;
	query->unsupported = false;
	if (send(fd, &request, failure))
		return -1;
	query->unsupported = is_unsupported(&request);
	if (request.resid >= 0 && (uint32_t)request.resid <= query->bytes)
		query->received = query->bytes - (uint32_t)request.resid;
	request.resid = 0;
	return pbs_sgio_judge(&request, failure);
}
