// SPDX-License-Identifier: Apache-2.0
#include "survey.h"

#include "ata.h"
#include "ext4_mount.h"
#include "number.h"
#include "xfs_kernel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define SECTOR_BYTES 512 /* sysfs counts in these on every disk */
#define PAGE_BYTES 4096
/* VPD page 89h, ATA Information: IDENTIFY data from byte 60 (SAT, "ATA Information VPD page"). */
#define VPD_IDENTIFY 60

/* Keeps the first reason. */
static void refuse(struct pbs_volume_info *info, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void refuse(struct pbs_volume_info *info, const char *format, ...)
{
	va_list arguments;

	if (info->ncq_refused[0])
		return;
	va_start(arguments, format);
	vsnprintf(info->ncq_refused, sizeof(info->ncq_refused), format, arguments);
	va_end(arguments);
}

/* --- sysfs ------------------------------------------------------------------------------------ */

static ssize_t read_bytes(int directory, const char *name, void *bytes, size_t size)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	ssize_t count;

	if (fd < 0)
		return -1;
	count = read(fd, bytes, size);
	close(fd);
	return count;
}

/* A text without blanks at its end; "" if there is no such attribute. */
static const char *read_text(int directory, const char *name, char *text, size_t size)
{
	ssize_t count = read_bytes(directory, name, text, size - 1);

	if (count < 0)
		count = 0;
	while (count > 0 && (text[count - 1] == '\n' || text[count - 1] == ' '))
		count--;
	text[count] = '\0';
	return text;
}

static int64_t read_number(int directory, const char *name, int64_t otherwise)
{
	char text[PBS_NAME];
	uint64_t number;

	read_text(directory, name, text, sizeof(text));
	return hprio_parse_whole(text, 0, INT64_MAX, &number) ? (int64_t)number : otherwise;
}

static bool has(int directory, const char *name)
{
	return faccessat(directory, name, F_OK, 0) == 0;
}

/* The last part of what a link points to. */
static const char *read_link(int directory, const char *name, char text[PBS_NAME])
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(directory, name, target, sizeof(target) - 1);
	const char *slash;

	target[length > 0 ? length : 0] = '\0';
	slash = strrchr(target, '/');
	snprintf(text, PBS_NAME, "%.31s", slash ? slash + 1 : target);
	return text;
}

static int open_device(const char *sysfs, dev_t device)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/dev/block/%u:%u", sysfs, major(device), minor(device));
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The kernel's name of the device, the last part of DEVNAME=... or "" */
static void read_name(int directory, char name[PBS_NAME])
{
	char text[1024];
	const char *found;

	read_text(directory, "uevent", text, sizeof(text));
	found = strstr(text, "DEVNAME=");
	if (!found || sscanf(found, "DEVNAME=%31[^\n]", name) != 1)
		name[0] = '\0';
}

static void read_number_pair(int directory, int32_t *major_number, int32_t *minor_number)
{
	char text[PBS_NAME];

	if (sscanf(read_text(directory, "dev", text, sizeof(text)), "%d:%d", major_number,
		   minor_number) != 2) {
		*major_number = 0;
		*minor_number = 0;
	}
}

/* --- the disk --------------------------------------------------------------------------------- */

/* "none [mq-deadline] bfq": the one in brackets. */
static void read_scheduler(int disk, char name[PBS_NAME])
{
	char text[PBS_TEXT];
	const char *found;

	read_text(disk, "queue/scheduler", text, sizeof(text));
	found = strchr(text, '[');
	if (!found || sscanf(found, "[%31[^]]", name) != 1)
		snprintf(name, PBS_NAME, "%.31s", text);
}

static int32_t command_bytes(int disk, int32_t block_bytes)
{
	int64_t bytes = read_number(disk, "queue/max_sectors_kb", 128) * 1024;
	/* The pages of a buffer need not be contiguous. */
	int64_t segments = read_number(disk, "queue/max_segments", 128) * PAGE_BYTES;

	if (bytes > segments)
		bytes = segments;
	if (bytes > PBS_MAX_COMMAND_BYTES)
		bytes = PBS_MAX_COMMAND_BYTES;
	bytes -= bytes % PAGE_BYTES;
	return bytes < block_bytes ? block_bytes : (int32_t)bytes;
}

static void survey_queue(int disk, struct pbs_volume_info *info)
{
	info->logical_block_bytes = (int32_t)read_number(disk, "queue/logical_block_size", 512);
	info->rotational = (int32_t)read_number(disk, "queue/rotational", -1);
	info->command_bytes = command_bytes(disk, info->logical_block_bytes);
	info->queue_depth = (int32_t)read_number(disk, "device/queue_depth", -1);
	read_scheduler(disk, info->scheduler);
	read_text(disk, "device/model", info->model, sizeof(info->model));
}

/*
 * What the kernel says of NCQ priority: -1 if it does not. The attributes are those of libata, which libsas
 * has, too; drivers of SAS HBAs with firmware of their own put "sas_" before the name
 * (Documentation/ABI/testing/sysfs-block-device; mpt3sas, mpi3mr). NcqPriority.java knows the same names.
 */
static int32_t read_ncq_prio(int disk, const char *name)
{
	static const char *const prefixes[] = {"", "sas_"};
	int64_t number = -1;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]) && number < 0; i++) {
		char path[64];

		snprintf(path, sizeof(path), "device/%s%s", prefixes[i], name);
		number = read_number(disk, path, -1);
	}
	return (int32_t)number;
}

/* Of an ATA drive. False: the kernel does not show it. */
static bool read_identify(int disk, struct pbs_identify *identify)
{
	uint8_t vpd[VPD_IDENTIFY + PBS_IDENTIFY_BYTES];

	if (read_bytes(disk, "device/vpd_pg89", vpd, sizeof(vpd)) != sizeof(vpd))
		return false;
	pbs_identify_parse(vpd + VPD_IDENTIFY, identify);
	return true;
}

static void survey_ncq(int disk, struct pbs_volume_info *info)
{
	struct pbs_identify identify;

	info->ncq_prio_enabled = read_ncq_prio(disk, "ncq_prio_enable");
	info->ncq_prio_supported = read_ncq_prio(disk, "ncq_prio_supported");
	info->cdl_supported = (int32_t)read_number(disk, "device/cdl_supported", -1);
	info->cdl_enabled = (int32_t)read_number(disk, "device/cdl_enable", -1);
	if (!read_identify(disk, &identify))
		return;
	info->ncq_supported = identify.ncq;
	if (info->ncq_prio_supported < 0)
		info->ncq_prio_supported = identify.ncq_prio;
}

/* What kind of device it is, if it is not a disk. */
static const char *kind_of(int disk)
{
	static const struct {
		const char *directory;
		const char *text;
	} kinds[] = {
		{"dm", "made by the device mapper (LVM, dm-crypt, multipath)"},
		{"md", "Linux software RAID"},
		{"loop", "a loop device"},
		{"bcache", "a bcache device"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (has(disk, kinds[i].directory))
			return kinds[i].text;
	return NULL;
}

static bool is_scsi(int disk, char bus[PBS_NAME])
{
	return strcmp(read_link(disk, "device/subsystem", bus), "scsi") == 0;
}

/* A SATA drive calls itself so towards SCSI (SAT, "INQUIRY command"), whatever the adapter. */
static bool is_ata(int disk, char vendor[PBS_NAME])
{
	read_text(disk, "device/vendor", vendor, PBS_NAME);
	return strcmp(vendor, "ATA") == 0 && read_number(disk, "device/type", -1) == 0;
}

/* Known by the names of the driver's attributes: see read_ncq_prio. */
static bool is_behind_sas_firmware(int disk)
{
	return has(disk, "device/sas_ncq_prio_enable") && !has(disk, "device/ncq_prio_enable");
}

static void check_disk(int disk, struct pbs_volume_info *info)
{
	const char *kind = kind_of(disk);
	char bus[PBS_NAME];
	char vendor[PBS_NAME];

	if (kind)
		return refuse(info, "%s is %s, not a SATA disk", info->disk, kind);
	if (!is_scsi(disk, bus))
		return refuse(info, "%s is not a SCSI disk but belongs to the kernel's \"%s\"", info->disk,
			      bus[0] ? bus : "virtual devices");
	if (!is_ata(disk, vendor))
		return refuse(info, "%s is a SCSI device of vendor \"%s\", not a SATA disk", info->disk,
			      vendor);
	if (is_behind_sas_firmware(disk))
		return refuse(info,
			      "%s is behind a SAS HBA that lets no other command pass while one of ncq "
			      "is under way; its own driver sends priorities: "
			      "/sys/block/%s/device/sas_ncq_prio_enable",
			      info->disk, info->disk);
	if (info->cdl_enabled == 1)
		return refuse(info,
			      "the command duration limits of %s are on, which exclude NCQ priority: "
			      "write 0 to /sys/block/%s/device/cdl_enable, or use direct",
			      info->disk, info->disk);
	if (info->ncq_supported == 0)
		return refuse(info, "the drive %s has no NCQ (IDENTIFY DEVICE word 76)", info->disk);
	if (info->queue_depth < 2)
		return refuse(info,
			      "the queue depth of %s is %d: NCQ is off "
			      "(/sys/block/%s/device/queue_depth)",
			      info->disk, info->queue_depth, info->disk);
	if (info->logical_block_bytes != 512 && info->logical_block_bytes != 4096)
		refuse(info, "%s has blocks of %d bytes; allowed is 512 and 4096", info->disk,
		       info->logical_block_bytes);
}

static void check_filesystem(const struct hprio_mount *mount, struct pbs_volume_info *info)
{
	if (strcmp(mount->type, "ext4") != 0 && strcmp(mount->type, "xfs") != 0)
		refuse(info, "the file system is %s; ncq reads ext4 and xfs",
		       mount->type[0] ? mount->type : "unknown");
}

/* A partition's directory lies in its disk's. The disk's; or -1. */
static int open_disk(int device, struct pbs_volume_info *info)
{
	bool partition = has(device, "partition");

	info->partition_start_bytes = partition ? read_number(device, "start", -1) * SECTOR_BYTES : 0;
	info->partition_bytes = read_number(device, "size", 0) * SECTOR_BYTES;
	return openat(device, partition ? ".." : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void check_partition(struct pbs_volume_info *info)
{
	if (info->partition_start_bytes < 0 || info->partition_bytes <= 0 ||
	    info->partition_start_bytes % info->logical_block_bytes)
		refuse(info, "%s: its start or size is not valid", info->device);
}

static void check_mount(const char *proc, struct pbs_volume_info *info)
{
	struct pbs_failure failure;

	if (strcmp(info->filesystem, "ext4") == 0 &&
	    pbs_ext4_mount_check(proc, info->device, &failure))
		refuse(info, "%s", failure.text);
	if (strcmp(info->filesystem, "xfs") == 0 && pbs_xfs_kernel_check(proc, &failure))
		refuse(info, "%s", failure.text);
}

static void survey_device(int device, struct pbs_volume_info *info)
{
	int disk = open_disk(device, info);

	read_name(device, info->device);
	if (disk < 0)
		return refuse(info, "%s: its disk is not in sysfs: %s", info->device,
			      strerror(errno));
	read_name(disk, info->disk);
	read_number_pair(disk, &info->disk_major, &info->disk_minor);
	survey_queue(disk, info);
	survey_ncq(disk, info);
	check_disk(disk, info);
	check_partition(info);
	close(disk);
}

void pbs_survey(const char *sysfs, const char *proc, dev_t device,
		const struct hprio_mount *mount, struct pbs_volume_info *info)
{
	int directory = open_device(sysfs, device);

	memset(info, 0, sizeof(*info));
	info->device_major = (int32_t)major(device);
	info->device_minor = (int32_t)minor(device);
	info->ncq_supported = -1;
	info->ncq_prio_supported = -1;
	info->ncq_prio_enabled = -1;
	info->cdl_supported = -1;
	info->cdl_enabled = -1;
	info->queue_depth = -1;
	info->rotational = -1;
	snprintf(info->filesystem, sizeof(info->filesystem), "%s", mount->type);
	check_filesystem(mount, info);
	if (directory < 0) {
		refuse(info, "no block device %u:%u in sysfs", major(device), minor(device));
		return;
	}
	survey_device(directory, info);
	check_mount(proc, info);
	close(directory);
}

static int survey_scsi_disk(int disk, struct pbs_disk_info *info, struct pbs_failure *failure)
{
	struct pbs_identify identify;
	int32_t major_number;
	int32_t minor_number;
	char text[PBS_NAME];

	read_name(disk, info->name);
	if (kind_of(disk) || !is_scsi(disk, text))
		return pbs_fail(failure, PBS_REASON_VOLUME, "%s is not a SCSI or SATA disk",
				info->name);
	read_number_pair(disk, &major_number, &minor_number);
	info->number = makedev((unsigned)major_number, (unsigned)minor_number);
	read_text(disk, "device/model", info->model, sizeof(info->model));
	info->ata = is_ata(disk, text);
	info->gpl = read_identify(disk, &identify) ? identify.gpl : -1;
	info->ncq_prio_enabled = read_ncq_prio(disk, "ncq_prio_enable");
	info->cdl_supported = (int32_t)read_number(disk, "device/cdl_supported", -1);
	info->cdl_enabled = (int32_t)read_number(disk, "device/cdl_enable", -1);
	return 0;
}

int pbs_survey_disk(const char *sysfs, dev_t device, struct pbs_disk_info *info,
		    struct pbs_failure *failure)
{
	struct pbs_volume_info partition;
	int directory = open_device(sysfs, device);
	int disk = directory < 0 ? -1 : open_disk(directory, &partition);
	int result;

	memset(info, 0, sizeof(*info));
	if (disk < 0)
		result = pbs_fail(failure, PBS_REASON_VOLUME, "no block device %u:%u in sysfs",
				  major(device), minor(device));
	else
		result = survey_scsi_disk(disk, info, failure);
	if (disk >= 0)
		close(disk);
	if (directory >= 0)
		close(directory);
	return result;
}

void pbs_survey_identity(const char *sysfs, dev_t disk, char identity[PBS_IDENTITY])
{
	int directory = open_device(sysfs, disk);
	char name[PBS_IDENTITY / 2] = "";

	if (directory >= 0) {
		if (!read_text(directory, "diskseq", name, sizeof(name))[0])
			read_text(directory, "device/wwid", name, sizeof(name));
		close(directory);
	}
	snprintf(identity, PBS_IDENTITY, "%u:%u %s", major(disk), minor(disk), name);
}

bool pbs_survey_sg(const char *sysfs, dev_t disk, char name[PBS_NAME], dev_t *number)
{
	int directory = open_device(sysfs, disk);
	int list = directory < 0
			   ? -1
			   : openat(directory, "device/scsi_generic", O_RDONLY | O_CLOEXEC);
	DIR *entries = list < 0 ? NULL : fdopendir(list);
	const struct dirent *entry;
	int32_t major_number = 0;
	int32_t minor_number = 0;

	name[0] = '\0';
	while (entries && (entry = readdir(entries)))
		if (entry->d_name[0] != '.')
			snprintf(name, PBS_NAME, "%.31s", entry->d_name);
	if (name[0]) {
		int node = openat(list, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		read_number_pair(node, &major_number, &minor_number);
		if (node >= 0)
			close(node);
	}
	if (entries)
		closedir(entries);
	if (directory >= 0)
		close(directory);
	*number = makedev((unsigned)major_number, (unsigned)minor_number);
	return *number != 0;
}
