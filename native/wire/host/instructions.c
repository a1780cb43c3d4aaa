// SPDX-License-Identifier: Apache-2.0
/*
 * A plugin of QEMU 6.0 to 8.2 that counts the instructions which the emulated processor executes, and of these the ones
 * of the kernel's modules. Whenever it gets to the address mark=ADDRESS, "instructions COUNT OF_MODULES" goes to QEMU's
 * log (-d plugin). For one processor only.
 *
 * QEMU's package has no header for plugins: what is used of their interface, version 1, is declared here.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_info_t;
struct qemu_plugin_insn;
struct qemu_plugin_tb;
enum { ADD_U64 = 0, NO_REGISTERS = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*translated)(uint64_t id, struct qemu_plugin_tb *block));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation, void *target, uint64_t value);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *instruction,
					    void (*executed)(unsigned processor, void *argument), int registers,
					    void *argument);
void qemu_plugin_outs(const char *text);

/* Linux on x86-64 has its modules here and above (MODULES_VADDR, with CONFIG_RANDOMIZE_BASE). */
#define MODULES 0xffffffffc0000000

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int qemu_plugin_version = 1;

static const char MARK[] = "mark=";
static uint64_t mark, executed, of_modules;

static void tell(unsigned processor, void *argument)
{
	char line[80];

	(void)processor;
	(void)argument;
	snprintf(line, sizeof(line), "instructions %" PRIu64 " %" PRIu64 "\n", executed, of_modules);
	qemu_plugin_outs(line);
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
	size_t count = qemu_plugin_tb_n_insns(block);

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_U64, &executed, count);
	if (qemu_plugin_tb_vaddr(block) >= MODULES)
		qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_U64, &of_modules, count);
	for (size_t i = 0; i < count; i++) {
		struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);

		if (qemu_plugin_insn_vaddr(instruction) == mark)
			qemu_plugin_register_vcpu_insn_exec_cb(instruction, tell, NO_REGISTERS, NULL);
	}
}

EXPORTED int qemu_plugin_install(uint64_t id, const struct qemu_info_t *info, int argc, char **argv);

EXPORTED int qemu_plugin_install(uint64_t id, const struct qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	if (argc == 1 && strncmp(argv[0], MARK, strlen(MARK)) == 0)
		mark = strtoull(argv[0] + strlen(MARK), NULL, 0);
	if (mark == 0) {
		fprintf(stderr, "instructions: the argument is %sADDRESS\n", MARK);
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
