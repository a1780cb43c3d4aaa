/* What is below a file system: partition, disk and the disk's abilities; and how it is mounted. */
#ifndef PBS_SURVEY_H
#define PBS_SURVEY_H

#include "hprio_pbs.h"
#include "mountinfo.h"

#include <sys/types.h>

/* The largest command, whatever the disk allows: each thread has a buffer of this size. */
#define PBS_MAX_COMMAND_BYTES (512 * 1024)

/*
 * Fills in info except access and direct_refused. sysfs and proc are where these are mounted, "/sys" and
 * "/proc". ncq_refused says why ncq is impossible on this device; "" if nothing there speaks against it.
 * Needs no rights.
 */
void pbs_survey(const char *sysfs, const char *proc, dev_t device,
		const struct hprio_mount *mount, struct pbs_volume_info *info);

/* The sg node of a disk ("sg0"). False: there is none. */
bool pbs_survey_sg(const char *sysfs, dev_t disk, char name[PBS_NAME]);

#endif
