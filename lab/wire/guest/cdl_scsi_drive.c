// SPDX-License-Identifier: GPL-2.0
/*
 * Test fixture: makes an emulated SCSI drive look like one with command duration limits to the kernel.
 *
 * QEMU's drive has none, and does not know the command by which the kernel asks: REPORT SUPPORTED OPERATION CODES,
 * here answered as by a drive whose READ(16) and WRITE(16) take the limits of mode pages T2A and T2B (SPC-6: RWCDLP and
 * CDLP). The drive's version of the standard, which must be SPC-5 or later, is an option of QEMU's. The kernel's
 * detection, its attributes in sysfs and its commands stay its own.
 *
 * Load it after scsi_mod and before the driver of the controller. It stays loaded.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/string.h>
#include <scsi/scsi_device.h>
#include <scsi/scsi_proto.h>

#define RWCDLP BIT(0)
#define CDLP_LIMITS_OF_READS BIT(3)
#define CDLP_LIMITS_OF_WRITES BIT(4)
#define SUPPORTED 3

/* Runs instead of scsi_report_opcode; the other commands are not reported, as by QEMU. */
static int answer_opcode(struct scsi_device *device, unsigned char *buffer, unsigned int length,
			 unsigned char opcode, unsigned short service_action)
{
	if (opcode != READ_16 && opcode != WRITE_16)
		return -EINVAL;
	memset(buffer, 0, length);
	buffer[0] = RWCDLP;
	buffer[1] = SUPPORTED | (opcode == READ_16 ? CDLP_LIMITS_OF_READS : CDLP_LIMITS_OF_WRITES);
	sdev_printk(KERN_INFO, device, "fixture: answered for operation code 0x%02x\n", opcode);
	return 1;
}

static void notrace redirect(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs)
{
	instruction_pointer_set(ftrace_get_regs(fregs), (unsigned long)answer_opcode);
}

static struct ftrace_ops redirection = {
	.func = redirect,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

static int __init cdl_scsi_drive_init(void)
{
	char function[] = "scsi_report_opcode";
	int error = ftrace_set_filter(&redirection, function, strlen(function), 0);

	return error ? error : register_ftrace_function(&redirection);
}

module_init(cdl_scsi_drive_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test fixture: answers of a SCSI drive with command duration limits");
