// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Remembers the I/O priority of each read and write that the block layer issues to one disk.
 *
 * The kernel's structures are declared with the fields that are used only; their places are
 * relocated when the program is loaded (CO-RE), so one object runs on Linux 5.15 and newer.
 */
#include "issue.h"

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define KERNEL_TYPE __attribute__((preserve_access_index))

/* include/linux/blk_types.h */
#define REQ_OP_MASK 0xff
#define REQ_OP_WRITE 1

struct gendisk {
	int major;
	int first_minor;
} KERNEL_TYPE;

struct request_queue {
	struct gendisk *disk;
} KERNEL_TYPE;

struct bio {
	unsigned short bi_ioprio;
} KERNEL_TYPE;

struct request {
	struct request_queue *q;
	struct bio *bio;
	unsigned int cmd_flags;
	unsigned int __data_len;
	__u64 __sector;
} KERNEL_TYPE;

/* Up to Linux 6.13 a request has a priority of its own; later it is that of its first bio. */
struct request___with_ioprio {
	unsigned short ioprio;
} KERNEL_TYPE;

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, VHDD_ISSUE_ENTRIES);
	__type(key, struct vhdd_issue_key);
	__type(value, struct vhdd_issue);
} issues SEC(".maps");

/* The disk to watch, set by the daemon; major 0 watches none. */
int watched_major;
int watched_minor;

static __always_inline unsigned short priority_of(struct request *rq)
{
	struct request___with_ioprio *with_ioprio = (void *)rq;

	if (bpf_core_field_exists(with_ioprio->ioprio))
		return with_ioprio->ioprio;
	return rq->bio ? rq->bio->bi_ioprio : 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(block_rq_issue, struct request *rq)
{
	unsigned int op = rq->cmd_flags & REQ_OP_MASK;
	struct gendisk *disk = rq->q->disk;

	if (!watched_major || !disk || op > REQ_OP_WRITE)
		return 0;
	if (disk->major != watched_major || disk->first_minor != watched_minor)
		return 0;

	struct vhdd_issue_key key = {.sector = rq->__sector, .write = op};
	struct vhdd_issue issue = {
		.issued_ns = bpf_ktime_get_ns(),
		.bytes = rq->__data_len,
		.ioprio = priority_of(rq),
	};

	bpf_map_update_elem(&issues, &key, &issue, BPF_ANY);
	return 0;
}

char program_license[] SEC("license") = "GPL";
