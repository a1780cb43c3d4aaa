// SPDX-License-Identifier: Apache-2.0
#include "issue_probe.h"

#include "issue.h"
#include "issue.skel.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 512
/* More than a queue of 32 can have open at once. */
#define SPLITS 64

/* The part of a block request that has not arrived yet. */
struct split {
	uint64_t offset;
	uint32_t bytes;
	bool write;
	uint16_t ioprio;
};

struct vhdd_issue_probe {
	struct issue_bpf *bpf;
	struct split splits[SPLITS]; /* bytes 0: free */
	unsigned int next_split;
};

static int print_warnings(enum libbpf_print_level level, const char *format, va_list arguments)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, arguments) : 0;
}

struct vhdd_issue_probe *vhdd_issue_probe_new(void)
{
	struct vhdd_issue_probe *probe = calloc(1, sizeof(*probe));
	int error;

	if (!probe) {
		warn("BPF program");
		return NULL;
	}
	libbpf_set_print(print_warnings);
	probe->bpf = issue_bpf__open_and_load();
	error = errno;
	if (probe->bpf && issue_bpf__attach(probe->bpf) == 0)
		return probe;
	if (probe->bpf)
		error = errno;
	warnx("cannot trace block_rq_issue with BPF: %s (needs root, and a kernel of 5.15 or newer "
	      "with /sys/kernel/btf/vmlinux)", strerror(error));
	vhdd_issue_probe_free(probe);
	return NULL;
}

void vhdd_issue_probe_free(struct vhdd_issue_probe *probe)
{
	if (!probe)
		return;
	issue_bpf__destroy(probe->bpf);
	free(probe);
}

void vhdd_issue_probe_watch(struct vhdd_issue_probe *probe, int major, int minor)
{
	probe->bpf->bss->watched_minor = minor;
	probe->bpf->bss->watched_major = major;
}

static struct split *find_split(struct vhdd_issue_probe *probe, uint64_t offset, uint32_t length,
				bool write)
{
	for (size_t i = 0; i < SPLITS; i++) {
		struct split *split = &probe->splits[i];

		if (split->bytes >= length && split->offset == offset && split->write == write)
			return split;
	}
	return NULL;
}

static void remember_rest(struct vhdd_issue_probe *probe, const struct split *rest)
{
	probe->splits[probe->next_split] = *rest;
	probe->next_split = (probe->next_split + 1) % SPLITS;
}

enum vhdd_issue_match vhdd_issue_probe_find(struct vhdd_issue_probe *probe, uint64_t offset,
					    uint32_t length, bool write,
					    struct vhdd_issued *issued)
{
	struct vhdd_issue_key key = {.sector = offset / SECTOR_BYTES, .write = write};
	struct split *split = find_split(probe, offset, length, write);
	struct vhdd_issue issue;

	*issued = (struct vhdd_issued){0};
	if (split) {
		issued->ioprio = split->ioprio;
		split->offset += length;
		split->bytes -= length;
		return VHDD_ISSUE_CONTINUED;
	}
	if (bpf_map__lookup_elem(probe->bpf->maps.issues, &key, sizeof(key), &issue, sizeof(issue),
				 0))
		return VHDD_ISSUE_MISSING;
	if (issue.bytes < length)
		return VHDD_ISSUE_MISMATCHED;
	issued->ioprio = issue.ioprio;
	issued->issued_ns = (int64_t)issue.issued_ns;
	if (issue.bytes > length) {
		struct split rest = {
			.offset = offset + length,
			.bytes = issue.bytes - length,
			.write = write,
			.ioprio = issue.ioprio,
		};

		remember_rest(probe, &rest);
	}
	return VHDD_ISSUE_FOUND;
}

uint64_t vhdd_issue_probe_lost(const struct vhdd_issue_probe *probe)
{
	struct bpf_prog_info info = {0};
	__u32 size = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(probe->bpf->progs.block_rq_issue), &info, &size))
		return 0;
	return info.recursion_misses;
}
