/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel makes of commands that a drive gives up for a duration limit (policy 0xD).
 *
 * SATA: the drive completes such a command as one that succeeded with sense data. libata marks the port for
 * error handling and hands the command to it (ata_qc_complete, ata_qc_schedule_eh, without fast drain). From then
 * on nothing new goes to the drive (__ata_scsi_queuecmd, scsi_queue_rq). The handler waits until every command has
 * ended (scsi_error_handler), reads log 0Fh (ata_eh_get_ncq_success_sense), ends with ETIME all that were given
 * up until then, and opens the drive again (scsi_restart_operations).
 *
 * SAS: the sense data come with the command, which ends at once, alone (scsi_decide_disposition,
 * scsi_result_to_blk_status). Nothing here is needed then.
 *
 * All times are int64_t nanoseconds of the caller's clock. Not thread-safe.
 */
#ifndef VHDD_RECOVERY_H
#define VHDD_RECOVERY_H

#include "model.h"

struct vhdd_recovery {
	STAILQ_HEAD(, vhdd_request) given_up;
	int64_t end_ns;
};

void vhdd_recovery_init(struct vhdd_recovery *recovery);

/* Whether the drive is closed: the caller must keep new requests from it. */
bool vhdd_recovery_pending(const struct vhdd_recovery *recovery);

/* Takes a request that the drive has given up. */
void vhdd_recovery_add(struct vhdd_recovery *recovery, struct vhdd_request *request);

/* Says, while it is pending, that the drive holds no command any more, and when the log will have been read. */
void vhdd_recovery_drained(struct vhdd_recovery *recovery, int64_t end_ns);

/* When it will be over; INT64_MAX: it is not pending, or the drive still holds commands. */
int64_t vhdd_recovery_end_ns(const struct vhdd_recovery *recovery);

/* Gives back the next request, to be answered at vhdd_recovery_end_ns; NULL: there is none, and it is over. */
struct vhdd_request *vhdd_recovery_next(struct vhdd_recovery *recovery);

#endif
