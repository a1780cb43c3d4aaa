// SPDX-License-Identifier: Apache-2.0
#include "residency.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGES_AT_ONCE 1024u
#define NS_PER_S INT64_C(1000000000)
/* More than the granularity of a file system's times. */
#define SETTLED_NS NS_PER_S

#ifndef SYS_cachestat
#define SYS_cachestat 451 /* the same on every architecture */
#endif

/* struct cachestat_range and struct cachestat of include/uapi/linux/mman.h, from Linux 6.5 on. */
struct range {
	uint64_t offset;
	uint64_t length;
};

struct cached {
	uint64_t pages;
	uint64_t dirty;
	uint64_t writeback;
	uint64_t evicted;
	uint64_t recently_evicted;
};

static bool ask(int fd, uint64_t offset, uint64_t length, struct cached *cached)
{
	struct range range = {.offset = offset, .length = length};

	return syscall(SYS_cachestat, fd, &range, cached, 0) == 0;
}

/*
 * False if certainly not. One call, where mincore needs the file mapped and unmapped. But cachestat also
 * counts pages that are still being read, so only "false" is final. True where the kernel does not have
 * the call or does not allow it.
 */
static bool may_be_resident(int fd, uint64_t from, size_t pages, size_t page_bytes)
{
	struct cached cached;

	return !ask(fd, from, pages * page_bytes, &cached) || cached.pages >= pages;
}

static bool mapping_resident(unsigned char *mapping, size_t pages, size_t page_bytes)
{
	unsigned char state[PAGES_AT_ONCE];

	for (size_t from = 0; from < pages; from += PAGES_AT_ONCE) {
		size_t count = pages - from < PAGES_AT_ONCE ? pages - from : PAGES_AT_ONCE;

		if (mincore(mapping + from * page_bytes, count * page_bytes, state))
			return false;
		for (size_t i = 0; i < count; i++)
			if (!(state[i] & 1))
				return false;
	}
	return true;
}

bool pbs_resident(int fd, uint64_t offset, uint64_t length)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t from = offset - offset % page_bytes;
	size_t pages = (size_t)((offset + length - from + page_bytes - 1) / page_bytes);
	void *mapping;
	bool resident;

	if (length == 0)
		return true;
	if (!may_be_resident(fd, from, pages, page_bytes))
		return false;
	mapping = mmap(NULL, pages * page_bytes, PROT_READ, MAP_SHARED, fd, (off_t)from);
	if (mapping == MAP_FAILED)
		return false;
	resident = mapping_resident(mapping, pages, page_bytes);
	munmap(mapping, pages * page_bytes);
	return resident;
}

enum pbs_dirty pbs_dirty(int fd, uint64_t offset, uint64_t length)
{
	struct cached cached;

	if (!ask(fd, offset, length, &cached))
		return PBS_DIRTY_UNKNOWN;
	return cached.dirty || cached.writeback ? PBS_DIRTY_YES : PBS_DIRTY_NO;
}

static int64_t nanoseconds(const struct timespec *time)
{
	return time->tv_sec * NS_PER_S + time->tv_nsec;
}

enum pbs_dirty pbs_file_dirty(int fd, struct pbs_clean *clean)
{
	struct timespec now;
	struct stat status;
	enum pbs_dirty dirty;
	int64_t changed;

	if (fstat(fd, &status))
		return PBS_DIRTY_UNKNOWN;
	changed = nanoseconds(&status.st_mtim);
	if (atomic_load_explicit(&clean->changed_ns, memory_order_relaxed) == changed)
		return PBS_DIRTY_NO;
	clock_gettime(CLOCK_REALTIME, &now);
	dirty = pbs_dirty(fd, 0, 0);
	if (dirty == PBS_DIRTY_NO && nanoseconds(&now) - changed > SETTLED_NS)
		atomic_store_explicit(&clean->changed_ns, changed, memory_order_relaxed);
	return dirty;
}
