// SPDX-License-Identifier: Apache-2.0
#include "cdl_read.h"

#include "cdl_ata.h"
#include "cdl_scsi.h"

#include <string.h>

/* --- an ATA drive's logs ---------------------------------------------------------------------- */

static int read_log(const struct pbs_cdl_device *device, uint8_t log, uint8_t number,
		    uint8_t page[PBS_LOG_BYTES], struct pbs_failure *failure)
{
	struct pbs_scsi_query query = pbs_ata_read_log(log, number, page);
	struct pbs_failure why;

	if (device->query(device->context, &query, &why))
		return pbs_fail(failure, why.reason, "log %02xh page %02xh: %.200s", log, number,
				why.text);
	if (query.received != PBS_LOG_BYTES)
		return pbs_fail(failure, PBS_REASON_COMMAND,
				"log %02xh page %02xh: %u bytes instead of %u", log, number,
				query.received, PBS_LOG_BYTES);
	return 0;
}

/* Reads a page that page 00h of its log lists. 1; 0: it is not listed; or -1, and why. */
static int read_listed(const struct pbs_cdl_device *device, uint8_t log, uint8_t number,
		       uint8_t page[PBS_LOG_BYTES], struct pbs_failure *failure)
{
	int listed;

	if (read_log(device, log, PBS_LOG_PAGE_LIST, page, failure))
		return -1;
	listed = pbs_ata_log_lists(page, log, number, failure);
	if (listed <= 0)
		return listed;
	return read_log(device, log, number, page, failure) ? -1 : 1;
}

static int read_statistics(const struct pbs_cdl_device *device, const uint8_t *directory,
			   struct pbs_cdl *cdl, struct pbs_failure *failure)
{
	uint8_t page[PBS_LOG_BYTES];
	int found = 0;

	if (pbs_ata_log_pages(directory, PBS_LOG_DEVICE_STATISTICS) > 0)
		found = read_listed(device, PBS_LOG_DEVICE_STATISTICS, PBS_LOG_PAGE_CDL_STATISTICS,
				    page, failure);
	if (found == 0)
		return pbs_fail(failure, PBS_REASON_COMMAND,
				"the drive has no statistics of command duration limits");
	return found < 0 ? -1 : pbs_cdl_ata_statistics(page, cdl, failure);
}

/* Whether the drive has limits, and whether they are on. */
static int read_state(const struct pbs_cdl_device *device, struct pbs_cdl *cdl,
		      struct pbs_failure *failure)
{
	uint8_t page[PBS_LOG_BYTES];
	int found = read_listed(device, PBS_LOG_IDENTIFY_DEVICE_DATA,
				PBS_LOG_PAGE_SUPPORTED_CAPABILITIES, page, failure);

	if (found < 0)
		return -1;
	if (found == 0) {
		cdl->supported = 0;
		return 0;
	}
	if (pbs_cdl_ata_capabilities(page, cdl, failure))
		return -1;
	if (!cdl->supported)
		return 0;
	if (read_log(device, PBS_LOG_IDENTIFY_DEVICE_DATA, PBS_LOG_PAGE_CURRENT_SETTINGS, page,
		     failure))
		return -1;
	return pbs_cdl_ata_settings(page, cdl, failure);
}

static int from_logs(const struct pbs_cdl_device *device, struct pbs_cdl *cdl,
		     struct pbs_failure *failure)
{
	uint8_t directory[PBS_LOG_BYTES];
	uint8_t page[PBS_LOG_BYTES];
	struct pbs_failure why;
	int pages;

	if (device->gpl == 0)
		return pbs_fail(failure, PBS_REASON_COMMAND,
				"the drive has no General Purpose Logging (IDENTIFY DEVICE word 84)");
	if (read_log(device, PBS_LOG_DIRECTORY, 0, directory, failure))
		return -1;
	pages = pbs_ata_log_pages(directory, PBS_LOG_IDENTIFY_DEVICE_DATA);
	if (pages < 0)
		return pbs_fail(failure, PBS_REASON_COMMAND, "log 00h: the answer is no directory");
	if (pages == 0) {
		cdl->supported = 0;
		return 0;
	}
	if (read_state(device, cdl, failure))
		return -1;
	if (!cdl->supported)
		return 0;
	if (pbs_ata_log_pages(directory, PBS_LOG_CDL) <= 0)
		return pbs_fail(failure, PBS_REASON_COMMAND,
				"the drive says that it has limits, but has no log 18h");
	if (read_log(device, PBS_LOG_CDL, 0, page, failure))
		return -1;
	pbs_cdl_ata_descriptors(page, cdl);
	if (read_statistics(device, directory, cdl, &why))
		strcpy(cdl->statistics_refused, why.text);
	return 0;
}

/* --- mode pages ------------------------------------------------------------------------------- */

/* 1; 0: the device does not know the page; or -1, and why. */
static int read_mode_page(const struct pbs_cdl_device *device, enum pbs_cdl_direction direction,
			  struct pbs_cdl *cdl, struct pbs_failure *failure)
{
	uint8_t bytes[PBS_MODE_BYTES];
	struct pbs_scsi_query query = pbs_cdl_mode_sense(direction, bytes);

	if (device->query(device->context, &query, failure))
		return query.unsupported ? 0 : -1;
	if (pbs_cdl_mode_page(bytes, query.received, direction, device->ata, cdl, failure))
		return -1;
	return 1;
}

/* 1; 0: the device has no such pages; or -1, and why. */
static int read_mode_pages(const struct pbs_cdl_device *device, struct pbs_cdl *cdl,
			   struct pbs_failure *failure)
{
	int found = read_mode_page(device, PBS_CDL_READ, cdl, failure);

	if (found <= 0)
		return found;
	found = read_mode_page(device, PBS_CDL_WRITE, cdl, failure);
	/* The reason is that of the query. */
	return found > 0 ? 1 : -1;
}

static int read_log_page(const struct pbs_cdl_device *device, struct pbs_cdl *cdl,
			 struct pbs_failure *failure)
{
	uint8_t bytes[PBS_LOG_SENSE_BYTES];
	struct pbs_scsi_query query = pbs_cdl_log_sense(bytes);

	if (device->query(device->context, &query, failure))
		return -1;
	return pbs_cdl_log_page(bytes, query.received, cdl, failure);
}

static int from_scsi(const struct pbs_cdl_device *device, struct pbs_cdl *cdl,
		     struct pbs_failure *failure)
{
	struct pbs_failure why;
	int found = read_mode_pages(device, cdl, failure);

	if (found < 0)
		return -1;
	cdl->supported = found;
	if (!found)
		return 0;
	cdl->guideline_supported = 1;
	cdl->enabled = 1;
	if (read_log_page(device, cdl, &why))
		strcpy(cdl->statistics_refused, why.text);
	return 0;
}

int pbs_cdl_read(const struct pbs_cdl_device *device, struct pbs_cdl *cdl,
		 struct pbs_failure *failure)
{
	struct pbs_failure why;
	int found;

	pbs_cdl_init(cdl);
	if (!device->ata)
		return from_scsi(device, cdl, failure);
	if (from_logs(device, cdl, failure) == 0)
		return 0;
	strcpy(cdl->log_refused, failure->text);
	found = read_mode_pages(device, cdl, &why);
	if (found > 0) {
		cdl->supported = 1;
		strcpy(cdl->statistics_refused, "they are in the drive's log only");
		return 0;
	}
	/* Limits need logs. Else nothing is known: the kernel may be too old to make the pages. */
	if (found < 0 || device->gpl != 0)
		return -1;
	cdl->supported = 0;
	return 0;
}
