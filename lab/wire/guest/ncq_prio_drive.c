// SPDX-License-Identifier: GPL-2.0
/*
 * Test fixture: makes an emulated SATA drive look like one with NCQ priority to libata.
 *
 * QEMU's drive takes the priority bits of a command but does not say so. What libata asks a drive before it uses
 * them (ACS-4: IDENTIFY DEVICE word 76 bit 12; READ LOG of the log directory, of the list of pages of the IDENTIFY
 * DEVICE data log, and of its Serial ATA page, NCQ priority bit) is answered here. libata's detection, its attributes
 * in sysfs and its commands stay the kernel's own.
 *
 * READ LOG is answered without asking the drive: QEMU 7.2 aborts it, and then takes the next queued command for failed.
 *
 * Load it after libata and before the driver of the controller. It stays loaded.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/libata.h>
#include <linux/module.h>
#include <linux/string.h>

#define WORD_76_NCQ BIT(8)
#define WORD_76_NCQ_PRIORITY BIT(12)
#define NCQ_PRIORITY_SUPPORTED BIT(3)
#define LOG_VERSION 1
#define LIST_OF_PAGES 0

/* Bytes 0-1 of the directory are its version; word N is the number of pages of log N. */
static void fill_directory(u8 *buffer)
{
	buffer[0] = LOG_VERSION;
	buffer[2 * ATA_LOG_IDENTIFY_DEVICE] = 1;
}

/* Byte 8 is the number of entries; the entries follow. */
static void fill_list_of_pages(u8 *buffer)
{
	buffer[8] = 2;
	buffer[9] = LIST_OF_PAGES;
	buffer[10] = ATA_LOG_SATA_SETTINGS;
}

/* Runs instead of ata_read_log_page. A log that is not answered is one that the drive lacks. */
static unsigned int answer_log(struct ata_device *dev, u8 log, u8 page, void *buffer,
			       unsigned int sectors)
{
	u8 *bytes = buffer;

	memset(buffer, 0, sectors * ATA_SECT_SIZE);
	if (log == ATA_LOG_DIRECTORY)
		fill_directory(bytes);
	else if (log == ATA_LOG_IDENTIFY_DEVICE && page == LIST_OF_PAGES)
		fill_list_of_pages(bytes);
	else if (log == ATA_LOG_IDENTIFY_DEVICE && page == ATA_LOG_SATA_SETTINGS)
		bytes[ATA_LOG_NCQ_PRIO_OFFSET] = NCQ_PRIORITY_SUPPORTED;
	else
		return AC_ERR_DEV;
	ata_dev_info(dev, "fixture: answered READ LOG 0x%02x page 0x%02x\n", log, page);
	return 0;
}

static void notrace redirect(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs)
{
	instruction_pointer_set(ftrace_get_regs(fregs), (unsigned long)answer_log);
}

static struct ftrace_ops log_redirection = {
	.func = redirect,
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

	if (regs_return_value(regs) == 0 && (words[ATA_ID_SATA_CAPABILITY] & WORD_76_NCQ))
		words[ATA_ID_SATA_CAPABILITY] |= WORD_76_NCQ_PRIORITY;
	return 0;
}

static struct kretprobe identify_probe = {
	.kp.symbol_name = "ata_dev_read_id",
	.entry_handler = note_identify,
	.handler = answer_identify,
	.data_size = sizeof(u16 *),
};

static int __init ncq_prio_drive_init(void)
{
	char function[] = "ata_read_log_page";
	int error = ftrace_set_filter(&log_redirection, function, strlen(function), 0);

	if (error)
		return error;
	error = register_ftrace_function(&log_redirection);
	if (error)
		return error;
	error = register_kretprobe(&identify_probe);
	if (error)
		unregister_ftrace_function(&log_redirection);
	return error;
}

module_init(ncq_prio_drive_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test fixture: answers of a SATA drive with NCQ priority");
