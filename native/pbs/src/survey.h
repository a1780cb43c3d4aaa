/* What is below a file system: partition, disk, and what the disk can do, as sysfs tells. */
#ifndef PBS_SURVEY_H
#define PBS_SURVEY_H

#include "mountinfo.h"

#include <sys/types.h>

/* The most that one command reads, whatever the disk allows: a thread has a buffer of it. */
#define PBS_COMMAND_BYTES_MAX (512 * 1024)

/*
 * Fills info but access and direct_refused. sysfs is where sysfs is mounted, "/sys". ncq_refused says
 * why ncq is impossible on this device, "" if all that sysfs tells is in favour of it. Needs no
 * rights.
 */
void pbs_survey(const char *sysfs, dev_t device, const struct pbs_mount *mount,
		struct pbs_volume_info *info);

/* The sg node of a disk ("sg0"). False: there is none. */
bool pbs_survey_sg(const char *sysfs, dev_t disk, char name[PBS_NAME]);

#endif
