/* SPDX-License-Identifier: Apache-2.0 */
/* A SCSI command that asks a device for data. */
#ifndef PBS_SCSI_QUERY_H
#define PBS_SCSI_QUERY_H

#include "ata.h"

#include <stddef.h>

struct pbs_scsi_query {
	uint8_t cdb[PBS_CDB_BYTES];
	uint8_t cdb_bytes; /* 10 or 16 */
	void *buffer;
	uint32_t bytes; /* of buffer, 1 to 65535 */
	/* Answers. */
	uint32_t received; /* at most bytes; a device may send fewer */
	bool unsupported;  /* after a failure: the device does not know the command, or not this page of it */
};

#endif
