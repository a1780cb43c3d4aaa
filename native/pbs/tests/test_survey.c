// SPDX-License-Identifier: Apache-2.0
/* What sysfs and procfs say of a disk, read from files made like those of a SATA disk with a partition. */
#include "unit.h"

#include "survey.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DISK "/devices/ata1/host0/target0:0:0/0:0:0:0/block/sda"
#define DEVICE "/devices/ata1/host0/target0:0:0/0:0:0:0"

#define OPTIONS "/fs/ext4/sda1/options"
#define RELEASE "/sys/kernel/osrelease"

static char root[64];

static const char *path_of(const char *path)
{
	static char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return full;
}

static void make_directories(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
		*slash = '/';
	}
}

static void put_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *stream;

	make_directories(path);
	stream = fopen(path_of(path), "w");
	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	fclose(stream);
}

static void put(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

static void link_to(const char *path, const char *target)
{
	make_directories(path);
	assert_int_equal(symlink(target, path_of(path)), 0);
}

static void drop(const char *path)
{
	assert_int_equal(remove(path_of(path)), 0);
}

/* VPD page 89h: word 76 of the IDENTIFY data from byte 60. */
static void put_identify(unsigned word_76)
{
	unsigned char vpd[572] = {0, 0x89, 0x02, 0x38};

	vpd[60 + 150] = 31;
	vpd[60 + 152] = (unsigned char)word_76;
	vpd[60 + 153] = (unsigned char)(word_76 >> 8);
	put_bytes(DEVICE "/vpd_pg89", vpd, sizeof(vpd));
}

static int make_tree(void **state)
{
	(void)state;
	strcpy(root, "/tmp/test_survey.XXXXXX");
	assert_non_null(mkdtemp(root));
	put(DISK "/uevent", "MAJOR=8\nMINOR=0\nDEVNAME=sda\nDEVTYPE=disk\n");
	put(DISK "/dev", "8:0\n");
	put(DISK "/size", "1953525168\n");
	put(DISK "/queue/logical_block_size", "512\n");
	put(DISK "/queue/rotational", "1\n");
	put(DISK "/queue/max_sectors_kb", "1280\n");
	put(DISK "/queue/max_segments", "168\n");
	put(DISK "/queue/scheduler", "none [mq-deadline] bfq\n");
	put(DISK "/sda1/uevent", "MAJOR=8\nMINOR=1\nDEVNAME=sda1\nDEVTYPE=partition\nPARTN=1\n");
	put(DISK "/sda1/dev", "8:1\n");
	put(DISK "/sda1/partition", "1\n");
	put(DISK "/sda1/start", "2048\n");
	put(DISK "/sda1/size", "1953521664\n");
	put(DEVICE "/vendor", "ATA     \n");
	put(DEVICE "/model", "WDC WD10EZEX    \n");
	put(DEVICE "/type", "0\n");
	put(DEVICE "/queue_depth", "32\n");
	put(DEVICE "/ncq_prio_supported", "1\n");
	put(DEVICE "/ncq_prio_enable", "0\n");
	put(DEVICE "/scsi_generic/sg3/dev", "21:3\n");
	link_to(DEVICE "/subsystem", "../../../../../bus/scsi");
	link_to(DISK "/device", "../../../0:0:0:0");
	link_to("/dev/block/8:0", "../.." DISK);
	link_to("/dev/block/8:1", "../.." DISK "/sda1");
	put_identify(1u << 8 | 1u << 12);
	put(OPTIONS, "rw\nbarrier\ndelalloc\ndioread_nolock\ndata=ordered\n");
	put(RELEASE, "6.12.95-amd64\n");
	return 0;
}

static int remove_tree(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static struct pbs_volume_info survey(unsigned minor_number, const char *filesystem)
{
	struct hprio_mount mount = {0};
	struct pbs_volume_info info;

	strcpy(mount.type, filesystem);
	pbs_survey(root, root, makedev(8, minor_number), &mount, &info);
	return info;
}

static void assert_refused(const struct pbs_volume_info *info, const char *text)
{
	if (!strstr(info->ncq_refused, text))
		fail_msg("\"%s\" does not say \"%s\"", info->ncq_refused, text);
}

static void a_partition_of_a_sata_disk_is_fine(void **state)
{
	struct pbs_volume_info info = survey(1, "ext4");

	(void)state;
	assert_string_equal(info.ncq_refused, "");
	assert_string_equal(info.filesystem, "ext4");
	assert_string_equal(info.device, "sda1");
	assert_string_equal(info.disk, "sda");
	assert_string_equal(info.model, "WDC WD10EZEX");
	assert_string_equal(info.scheduler, "mq-deadline");
	assert_int_equal(info.device_major, 8);
	assert_int_equal(info.device_minor, 1);
	assert_int_equal(info.disk_major, 8);
	assert_int_equal(info.disk_minor, 0);
	assert_int_equal(info.partition_start_bytes, 2048 * 512);
	assert_int_equal(info.partition_bytes, INT64_C(1953521664) * 512);
	assert_int_equal(info.logical_block_bytes, 512);
	assert_int_equal(info.queue_depth, 32);
	assert_int_equal(info.rotational, 1);
	assert_int_equal(info.ncq_supported, 1);
	assert_int_equal(info.ncq_prio_supported, 1);
	assert_int_equal(info.ncq_prio_enabled, 0);
	assert_int_equal(info.cdl_enabled, -1);
	assert_int_equal(info.command_bytes, 512 * 1024);
}

static void so_is_a_whole_disk(void **state)
{
	struct pbs_volume_info info = survey(0, "xfs");

	(void)state;
	assert_string_equal(info.ncq_refused, "");
	assert_string_equal(info.device, "sda");
	assert_int_equal(info.partition_start_bytes, 0);
	assert_int_equal(info.partition_bytes, INT64_C(1953525168) * 512);
}

static void a_command_is_as_large_as_the_disk_takes(void **state)
{
	(void)state;
	put(DISK "/queue/max_sectors_kb", "130\n");
	assert_int_equal(survey(1, "ext4").command_bytes, 128 * 1024);
	put(DISK "/queue/max_segments", "16\n");
	assert_int_equal(survey(1, "ext4").command_bytes, 64 * 1024);
	put(DISK "/queue/max_sectors_kb", "1\n");
	assert_int_equal(survey(1, "ext4").command_bytes, 512);
}

static void other_file_systems_are_refused(void **state)
{
	struct pbs_volume_info info;

	(void)state;
	info = survey(1, "btrfs");
	assert_refused(&info, "the file system is btrfs");
	info = survey(1, "");
	assert_refused(&info, "the file system is unknown");
	info = survey(77, "ext4");
	assert_refused(&info, "no block device 8:77");
}

/* Blocks that FIEMAP shows must hold the file's data. */
static void ext4_whose_blocks_may_lack_their_data_is_refused(void **state)
{
	static const struct {
		const char *options;
		const char *text;
	} cases[] = {
		{"rw\nnodelalloc\nnodioread_nolock\ndata=journal\n", "sda1 is mounted with data=journal"},
		{"rw\nnodelalloc\ndioread_nolock\ndata=ordered\n", "sda1 is mounted without delalloc"},
		{"rw\ndelalloc\nnodioread_nolock\ndata=ordered\n", "without dioread_nolock"},
		{"rw\ndelalloc\ndioread_lock", "without dioread_nolock"},
		{"", "sda1/options, the mount options in force: No data available"},
	};
	struct pbs_volume_info info;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		put(OPTIONS, cases[i].options);
		info = survey(1, "ext4");
		assert_refused(&info, cases[i].text);
	}
	drop(OPTIONS);
	info = survey(1, "ext4");
	assert_refused(&info, "sda1/options, the mount options in force: No such file");
	/* XFS has no such options. */
	info = survey(1, "xfs");
	assert_string_equal(info.ncq_refused, "");
}

/* It maps blocks first and writes to them then. */
static void xfs_of_an_older_kernel_is_refused(void **state)
{
	static const char *const refused[] = {"5.7.19-1\n", "4.18.0-553.el8_10.x86_64\n", "3.10\n", "x\n",
					      ""};
	static const char *const fine[] = {"5.8.0\n", "5.10.0-33-amd64\n", "6.1\n", "10.0.0\n"};
	struct pbs_volume_info info;

	(void)state;
	for (size_t i = 0; i < COUNT(refused); i++) {
		put(RELEASE, refused[i]);
		info = survey(1, "xfs");
		assert_refused(&info, "before Linux 5.8 XFS gives files blocks");
		info = survey(1, "ext4");
		assert_string_equal(info.ncq_refused, "");
	}
	for (size_t i = 0; i < COUNT(fine); i++) {
		put(RELEASE, fine[i]);
		info = survey(1, "xfs");
		assert_string_equal(info.ncq_refused, "");
	}
}

static void other_devices_are_refused(void **state)
{
	static const struct {
		const char *directory;
		const char *text;
	} kinds[] = {
		{"dm", "sda is made by the device mapper"},
		{"md", "sda is Linux software RAID"},
		{"loop", "sda is a loop device"},
		{"bcache", "sda is a bcache device"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct pbs_volume_info info;
		char path[256];

		snprintf(path, sizeof(path), DISK "/%s", kinds[i].directory);
		put(path, "");
		info = survey(1, "ext4");
		assert_refused(&info, kinds[i].text);
		drop(path);
	}
}

static void other_buses_are_refused(void **state)
{
	struct pbs_volume_info info;

	(void)state;
	put(DEVICE "/vendor", "SEAGATE \n");
	info = survey(1, "ext4");
	assert_refused(&info, "vendor \"SEAGATE\", not a SATA disk");
	drop(DEVICE "/subsystem");
	link_to(DEVICE "/subsystem", "../../../../../bus/virtio");
	info = survey(1, "ext4");
	assert_refused(&info, "belongs to the kernel's \"virtio\"");
	drop(DISK "/device");
	info = survey(1, "ext4");
	assert_refused(&info, "belongs to the kernel's \"virtual devices\"");
}

static void a_drive_without_a_queue_is_refused(void **state)
{
	struct pbs_volume_info info;

	(void)state;
	put(DEVICE "/queue_depth", "1\n");
	info = survey(1, "ext4");
	assert_refused(&info, "the queue depth of sda is 1: NCQ is off");
	put_identify(0x000e);
	info = survey(1, "ext4");
	assert_refused(&info, "sda has no NCQ");
	assert_int_equal(info.ncq_supported, 0);
}

/* An older kernel: what the drive can do must be guessed from its queue. */
static void attributes_may_be_missing(void **state)
{
	struct pbs_volume_info info;

	(void)state;
	drop(DEVICE "/vpd_pg89");
	drop(DEVICE "/ncq_prio_supported");
	drop(DEVICE "/ncq_prio_enable");
	info = survey(1, "ext4");
	assert_string_equal(info.ncq_refused, "");
	assert_int_equal(info.ncq_supported, -1);
	assert_int_equal(info.ncq_prio_supported, -1);
	assert_int_equal(info.ncq_prio_enabled, -1);
	put_identify(1u << 8);
	info = survey(1, "ext4");
	assert_int_equal(info.ncq_prio_supported, 0);
}

/* As mpt3sas and mpi3mr name them. While an ATA PASS-THROUGH is pending, mpt3sas answers BUSY to all else. */
static void behind_a_sas_hba_only_its_driver_sends_priorities(void **state)
{
	struct pbs_volume_info info;

	(void)state;
	drop(DEVICE "/vpd_pg89");
	drop(DEVICE "/ncq_prio_supported");
	drop(DEVICE "/ncq_prio_enable");
	put(DEVICE "/sas_ncq_prio_supported", "1\n");
	put(DEVICE "/sas_ncq_prio_enable", "1\n");
	info = survey(1, "ext4");
	assert_refused(&info, "sda is behind a SAS HBA");
	assert_refused(&info, "/sys/block/sda/device/sas_ncq_prio_enable");
	assert_int_equal(info.ncq_prio_supported, 1);
	assert_int_equal(info.ncq_prio_enabled, 1);
	/* A kernel before 5.15 has no sas_ncq_prio_supported. */
	drop(DEVICE "/sas_ncq_prio_supported");
	put(DEVICE "/sas_ncq_prio_enable", "0\n");
	info = survey(1, "ext4");
	assert_refused(&info, "sda is behind a SAS HBA");
	/* libsas has libata's. */
	drop(DEVICE "/sas_ncq_prio_enable");
	put(DEVICE "/ncq_prio_enable", "0\n");
	info = survey(1, "ext4");
	assert_string_equal(info.ncq_refused, "");
}

static void command_duration_limits_are_told(void **state)
{
	struct pbs_volume_info info;

	(void)state;
	assert_int_equal(survey(1, "ext4").cdl_supported, -1);
	put(DEVICE "/cdl_supported", "1\n");
	put(DEVICE "/cdl_enable", "1\n");
	info = survey(1, "ext4");
	assert_int_equal(info.cdl_supported, 1);
	assert_int_equal(info.cdl_enabled, 1);
	/* They and NCQ priority exclude each other. */
	assert_refused(&info, "the command duration limits of sda are on");
	assert_refused(&info, "/sys/block/sda/device/cdl_enable");
	put(DEVICE "/cdl_enable", "0\n");
	info = survey(1, "ext4");
	assert_int_equal(info.cdl_enabled, 0);
	assert_string_equal(info.ncq_refused, "");
}

static void a_disk_alone_is_told(void **state)
{
	struct pbs_disk_info info;
	struct pbs_failure failure;

	(void)state;
	put(DEVICE "/cdl_supported", "1\n");
	put(DEVICE "/cdl_enable", "0\n");
	/* Of a partition it is the disk. */
	for (unsigned minor_number = 0; minor_number < 2; minor_number++) {
		assert_int_equal(pbs_survey_disk(root, makedev(8, minor_number), &info, &failure), 0);
		assert_string_equal(info.name, "sda");
		assert_int_equal(info.number, makedev(8, 0));
		assert_true(info.ata);
		assert_int_equal(info.gpl, 0);
		assert_int_equal(info.cdl_supported, 1);
		assert_int_equal(info.cdl_enabled, 0);
	}
	drop(DEVICE "/cdl_supported");
	drop(DEVICE "/vpd_pg89");
	put(DEVICE "/vendor", "SEAGATE \n");
	assert_int_equal(pbs_survey_disk(root, makedev(8, 0), &info, &failure), 0);
	assert_false(info.ata);
	assert_int_equal(info.gpl, -1);
	assert_int_equal(info.cdl_supported, -1);
}

static void a_device_that_takes_no_scsi_commands_is_told(void **state)
{
	struct pbs_disk_info info;
	struct pbs_failure failure;

	(void)state;
	assert_int_equal(pbs_survey_disk(root, makedev(8, 99), &info, &failure), -1);
	assert_string_equal(failure.text, "no block device 8:99 in sysfs");
	drop(DEVICE "/subsystem");
	link_to(DEVICE "/subsystem", "../../../bus/virtio");
	assert_int_equal(pbs_survey_disk(root, makedev(8, 0), &info, &failure), -1);
	assert_string_equal(failure.text, "sda is not a SCSI or SATA disk");
}

static void the_sg_node_is_found(void **state)
{
	char name[PBS_NAME];
	dev_t number;

	(void)state;
	assert_true(pbs_survey_sg(root, makedev(8, 0), name, &number));
	assert_string_equal(name, "sg3");
	assert_int_equal(number, makedev(21, 3));
	/* Without a number nobody knows which node it is. */
	drop(DEVICE "/scsi_generic/sg3/dev");
	assert_false(pbs_survey_sg(root, makedev(8, 0), name, &number));
	drop(DEVICE "/scsi_generic/sg3");
	assert_false(pbs_survey_sg(root, makedev(8, 0), name, &number));
}

/* A number is given to the next disk when one is gone. */
static void a_disk_is_told_from_the_next_one_with_its_number(void **state)
{
	char identity[PBS_IDENTITY];

	(void)state;
	pbs_survey_identity(root, makedev(8, 0), identity);
	assert_string_equal(identity, "8:0 ");
	/* Before Linux 5.15. */
	put(DEVICE "/wwid", "naa.5000c500a1b2c3d4\n");
	pbs_survey_identity(root, makedev(8, 0), identity);
	assert_string_equal(identity, "8:0 naa.5000c500a1b2c3d4");
	put(DISK "/diskseq", "17\n");
	pbs_survey_identity(root, makedev(8, 0), identity);
	assert_string_equal(identity, "8:0 17");
	pbs_survey_identity(root, makedev(8, 16), identity);
	assert_string_equal(identity, "8:16 ");
}

int main(void)
{
#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		IN_TREE(a_partition_of_a_sata_disk_is_fine),
		IN_TREE(so_is_a_whole_disk),
		IN_TREE(a_command_is_as_large_as_the_disk_takes),
		IN_TREE(other_file_systems_are_refused),
		IN_TREE(ext4_whose_blocks_may_lack_their_data_is_refused),
		IN_TREE(xfs_of_an_older_kernel_is_refused),
		IN_TREE(other_devices_are_refused),
		IN_TREE(other_buses_are_refused),
		IN_TREE(a_drive_without_a_queue_is_refused),
		IN_TREE(attributes_may_be_missing),
		IN_TREE(behind_a_sas_hba_only_its_driver_sends_priorities),
		IN_TREE(command_duration_limits_are_told),
		IN_TREE(a_disk_alone_is_told),
		IN_TREE(a_device_that_takes_no_scsi_commands_is_told),
		IN_TREE(the_sg_node_is_found),
		IN_TREE(a_disk_is_told_from_the_next_one_with_its_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
