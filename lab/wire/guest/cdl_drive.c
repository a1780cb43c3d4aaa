// SPDX-License-Identifier: GPL-2.0
/*
 * Test fixture: makes an emulated SATA drive look like one with command duration limits and NCQ priority to libata.
 *
 * QEMU's drive does not say that it has either. What libata asks a drive before it uses them (ACS-5: IDENTIFY DEVICE
 * words 76, 78 and 80; READ LOG of the log directory, of pages 00h, 03h, 04h and 08h of the IDENTIFY DEVICE data log,
 * and of the Command Duration Limits log) is answered here, and so is the command that switches limits on and off (SET
 * FEATURES, subcommand 0Dh). The limits are those that cdl_cases.py expects. libata's detection, its attributes in
 * sysfs, its mode pages and the commands that read stay the kernel's own.
 *
 * READ LOG is answered without asking the drive, as in ncq_prio_drive.c. With the parameter answer_commands the same is
 * done for READ LOG EXT that programs send (ATA PASS-THROUGH), and the drive has counters, too; else they go to the drive.
 *
 * With the parameter give_up the drive gives up so many of the next commands that name a limit, by policy Dh: they are
 * complete, with the status bit for sense data, as libata sees them, and the log of such sense data (0Fh) says "completed,
 * data currently unavailable" of each command.
 * Load it after libata and before the driver of the controller. It stays loaded.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/libata.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/string.h>
#include <linux/version.h>

/* libata knows limits since Linux 6.5; on an older kernel the fixture does nothing. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)

static bool answer_commands;
module_param(answer_commands, bool, 0644);

static int give_up;
module_param(give_up, int, 0644);

#define WORD_76_NCQ BIT(8)
#define WORD_76_NCQ_PRIORITY BIT(12)
#define WORD_78_NCQ_AUTOSENSE BIT(7)
#define WORD_80_ACS_5 BIT(12)
#define LOG_VERSION 1
#define LIST_OF_PAGES 0
#define SUPPORTED_CAPABILITIES 3
#define CURRENT_SETTINGS 4
#define NCQ_PRIORITY_SUPPORTED BIT(3)
#define DEVICE_STATISTICS 4 /* log */
#define CDL_STATISTICS 9
#define VALID 0x80 /* bit 63 of a qword */

/* Of log 0Fh: where the descriptors of the tags begin, their length, and what they say (SPC-6, "Sense codes"). */
#define SENSE_OF_TAG_0 32
#define SENSE_BYTES 24
#define COMPLETED 0x0f
#define DATA_CURRENTLY_UNAVAILABLE 0x55, 0x0a

/* Policies: inactive in bits 11:8, active in 7:4, guideline in 3:0. */
#define LOG_HEAD 0x0abc /* no policies; but this is where libata takes them from */
#define DESCRIPTORS_OF_READS 64
#define DESCRIPTORS_OF_WRITES 288

static bool limits_enabled;

static void put(u8 *bytes, u32 number)
{
	for (unsigned int i = 0; i < 4; i++)
		bytes[i] = number >> (8 * i);
}

/* Of log 18h; limits in microseconds. */
static void put_descriptor(u8 *bytes, u32 policies, u32 inactive, u32 active, u32 guideline)
{
	put(bytes, policies);
	put(bytes + 4, active);
	put(bytes + 8, inactive);
	put(bytes + 16, guideline);
}

static void fill_limits(u8 *buffer)
{
	put(buffer, LOG_HEAD);
	put_descriptor(buffer + DESCRIPTORS_OF_READS, 0xfd1, 50000, 123456, 9999);
	buffer[DESCRIPTORS_OF_READS + 12] = 4; /* counter A counts commands */
	put_descriptor(buffer + DESCRIPTORS_OF_READS + 32, 0x00f, 0, 0, 4294967295u);
	put_descriptor(buffer + DESCRIPTORS_OF_WRITES + 6 * 32, 0x0f0, 0, 20000, 0);
}

/* The revision of a page and its number. */
static void put_header(u8 *buffer, u8 page)
{
	buffer[0] = 1;
	buffer[2] = page;
	buffer[7] = VALID;
}

/* Word N of the directory is the number of pages of log N. */
static void fill_directory(u8 *buffer)
{
	buffer[0] = LOG_VERSION;
	buffer[2 * ATA_LOG_IDENTIFY_DEVICE] = 5;
	buffer[2 * ATA_LOG_CDL] = 1;
	buffer[2 * DEVICE_STATISTICS] = 10;
}

/* Successful NCQ Command Sense Data (bit 47), without which libata does not use limits; limits and guideline. */
static void fill_capabilities(u8 *buffer)
{
	put_header(buffer, SUPPORTED_CAPABILITIES);
	buffer[8 + 5] = BIT(7);
	buffer[8 + 7] = VALID;
	buffer[168] = BIT(0) | BIT(1);
	buffer[168 + 7] = VALID;
}

/* That sense data is on (bit 18), so that libata need not switch it on; and whether limits are (bit 21). */
static void fill_settings(u8 *buffer)
{
	put_header(buffer, CURRENT_SETTINGS);
	buffer[8 + 2] = BIT(2) | (limits_enabled ? BIT(5) : 0);
	buffer[8 + 7] = VALID;
}

/* Of both logs that have one. */
static void fill_list_of_pages(u8 *buffer)
{
	static const u8 list[] = {
		5,
		LIST_OF_PAGES,
		SUPPORTED_CAPABILITIES,
		CURRENT_SETTINGS,
		ATA_LOG_SATA_SETTINGS,
		CDL_STATISTICS,
	};

	put_header(buffer, LIST_OF_PAGES);
	memcpy(buffer + 8, list, sizeof(list));
}

/* Counter A of the first descriptor of reads grows by 5 each time it is read. */
static void fill_statistics(u8 *buffer)
{
	static u32 commands = 40;

	put_header(buffer, CDL_STATISTICS);
	put(buffer + 16, commands += 5);
	buffer[16 + 7] = VALID | BIT(6); /* there is the statistic, and it is valid */
}

/* A log that is not answered is one that the drive lacks. */
static bool fill(u8 log, u8 page, u8 *buffer)
{
	memset(buffer, 0, ATA_SECT_SIZE);
	if (log == ATA_LOG_DIRECTORY)
		fill_directory(buffer);
	else if ((log == ATA_LOG_IDENTIFY_DEVICE || log == DEVICE_STATISTICS) && page == LIST_OF_PAGES)
		fill_list_of_pages(buffer);
	else if (log == ATA_LOG_IDENTIFY_DEVICE && page == SUPPORTED_CAPABILITIES)
		fill_capabilities(buffer);
	else if (log == ATA_LOG_IDENTIFY_DEVICE && page == CURRENT_SETTINGS)
		fill_settings(buffer);
	else if (log == ATA_LOG_IDENTIFY_DEVICE && page == ATA_LOG_SATA_SETTINGS)
		buffer[ATA_LOG_NCQ_PRIO_OFFSET] = NCQ_PRIORITY_SUPPORTED;
	else if (log == ATA_LOG_CDL)
		fill_limits(buffer);
	else if (log == DEVICE_STATISTICS && page == CDL_STATISTICS)
		fill_statistics(buffer);
	else
		return false;
	return true;
}

/* Says the same of all 32 tags; libata looks only at those that have ended with sense data. Two sectors. */
static void fill_sense(u8 *buffer)
{
	static const u8 sense[] = {COMPLETED, DATA_CURRENTLY_UNAVAILABLE};

	memset(buffer, 0, 2 * ATA_SECT_SIZE);
	put(buffer, LOG_VERSION | ATA_LOG_SENSE_NCQ << 16);
	memset(buffer + 8, 0xff, 4);
	for (unsigned int tag = 0; tag < ATA_MAX_QUEUE; tag++)
		memcpy(buffer + SENSE_OF_TAG_0 + tag * SENSE_BYTES, sense, sizeof(sense));
}

/* Runs instead of ata_read_log_page. */
static unsigned int answer_log(struct ata_device *dev, u8 log, u8 page, void *buffer,
			       unsigned int sectors)
{
	if (log == ATA_LOG_SENSE_NCQ && sectors == 2)
		fill_sense(buffer);
	else if (!fill(log, page, buffer))
		return AC_ERR_DEV;
	ata_dev_info(dev, "fixture: answered READ LOG 0x%02x page 0x%02x\n", log, page);
	return 0;
}

/* Runs instead of ata_qc_issue, of which it does what ata_qc_complete undoes. */
static void answer_command(struct ata_queued_cmd *qc)
{
	static u8 buffer[ATA_SECT_SIZE]; /* under the lock of the only port with a drive */

	qc->ap->nr_active_links++;
	qc->dev->link->active_tag = qc->tag;
	qc->flags |= ATA_QCFLAG_ACTIVE;
	qc->ap->qc_active |= 1ULL << qc->tag;
	if (qc->tf.command == ATA_CMD_SET_FEATURES)
		limits_enabled = qc->tf.nsect & BIT(0);
	else if (fill(qc->tf.lbal, qc->tf.lbam, buffer))
		sg_copy_from_buffer(qc->sg, qc->n_elem, buffer, sizeof(buffer));
	ata_qc_complete(qc);
}

static void notrace redirect(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs)
{
	instruction_pointer_set(ftrace_get_regs(fregs), (unsigned long)answer_log);
}

static void notrace redirect_command(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	const struct ata_queued_cmd *qc = (void *)regs_get_kernel_argument(regs, 0);

	if ((answer_commands && qc->tf.command == ATA_CMD_READ_LOG_EXT) ||
	    (qc->tf.command == ATA_CMD_SET_FEATURES && qc->tf.feature == SETFEATURES_CDL))
		instruction_pointer_set(regs, (unsigned long)answer_command);
}

/* Before ata_qc_complete, under the port's lock. */
static void notrace give_up_command(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct ata_queued_cmd *qc =
		(void *)regs_get_kernel_argument(ftrace_get_regs(fregs), 0);

	if (give_up <= 0 || !(qc->flags & ATA_QCFLAG_HAS_CDL) || qc->flags & ATA_QCFLAG_EH)
		return;
	give_up--;
	qc->result_tf.status = ATA_DRDY | ATA_SENSE;
	qc->result_tf.flags = qc->tf.flags;
	qc->flags |= ATA_QCFLAG_RTF_FILLED;
}

static struct ftrace_ops completion = {
	.func = give_up_command,
	.flags = FTRACE_OPS_FL_SAVE_REGS,
};

static struct ftrace_ops log_redirection = {
	.func = redirect,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

static struct ftrace_ops command_redirection = {
	.func = redirect_command,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

/* ata_dev_read_id(dev, class, flags, words) */
static int note_identify(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	*(u16 **)instance->data = (u16 *)regs_get_kernel_argument(regs, 3);
	return 0;
}

static int answer_identify(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	u16 *words = *(u16 **)instance->data;

	if (regs_return_value(regs) == 0 && (words[ATA_ID_SATA_CAPABILITY] & WORD_76_NCQ)) {
		words[ATA_ID_SATA_CAPABILITY] |= WORD_76_NCQ_PRIORITY;
		words[ATA_ID_FEATURE_SUPP] |= WORD_78_NCQ_AUTOSENSE;
		words[ATA_ID_MAJOR_VER] |= WORD_80_ACS_5;
	}
	return 0;
}

static struct kretprobe identify_probe = {
	.kp.symbol_name = "ata_dev_read_id",
	.entry_handler = note_identify,
	.handler = answer_identify,
	.data_size = sizeof(u16 *),
};

static int __init redirect_function(struct ftrace_ops *ops, char *function)
{
	int error = ftrace_set_filter(ops, function, strlen(function), 0);

	return error ? error : register_ftrace_function(ops);
}

static int __init cdl_drive_init(void)
{
	char read_log[] = "ata_read_log_page";
	char issue[] = "ata_qc_issue";
	char done[] = "ata_qc_complete";
	int error = redirect_function(&log_redirection, read_log);

	if (error)
		return error;
	error = redirect_function(&command_redirection, issue);
	if (error)
		goto no_commands;
	error = redirect_function(&completion, done);
	if (error)
		goto no_completion;
	error = register_kretprobe(&identify_probe);
	if (error)
		goto no_identify;
	return 0;
no_identify:
	unregister_ftrace_function(&completion);
no_completion:
	unregister_ftrace_function(&command_redirection);
no_commands:
	unregister_ftrace_function(&log_redirection);
	return error;
}

#else

static int __init cdl_drive_init(void)
{
	return 0;
}

#endif

module_init(cdl_drive_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test fixture: answers of a SATA drive with command duration limits and NCQ priority");
