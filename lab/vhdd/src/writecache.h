/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drive's write cache: data that the host was told is written, and that is not yet on the medium ("dirty").
 *
 * A write is answered when its data has come over the interface, whatever the arm does meanwhile; when there is
 * no room for it, it waits until the arm has made room. The arm writes dirty data out ("destages" it) when it has
 * nothing else to do, between two commands when half of the cache is full, and all of it for FLUSH CACHE EXT. A
 * write with FUA and one that is larger than the cache go to the medium (ACS-4: FLUSH CACHE EXT, WRITE FPDMA
 * QUEUED). ACS-4 leaves open what else a drive does when; these rules are assumptions.
 *
 * Only addresses are kept, no data, and of them no more than fit. Data that has been written out is not kept for
 * reads. Times are int64_t ns of the model's clock. Not thread-safe.
 */
#ifndef VHDD_WRITECACHE_H
#define VHDD_WRITECACHE_H

#include "geometry.h"
#include "model.h"

struct vhdd_dirty {
	uint64_t start;
	uint64_t end;
};

struct vhdd_writecache {
	uint64_t capacity_bytes; /* 0: the cache is off */
	uint32_t capacity;       /* of the list of dirty stretches */
	uint32_t used;
	struct vhdd_dirty *dirty; /* by offset; they neither overlap nor touch */
	uint64_t bytes;           /* in them */
	/* What the arm writes out takes its room until then. */
	uint64_t leaving_bytes;
	uint32_t leaving;
	int64_t left_ns;
	/* Writes that are not answered, by arrival, and when the interface is free for the first of them. */
	STAILQ_HEAD(, vhdd_request) waiting;
	size_t waiting_count;
	int64_t link_free_ns;
	int64_t open_ns; /* when the last thing was over that the first of them waited for: a flush, or for room */
	bool destaged_last; /* the arm's last trip was to write out dirty data */
	struct vhdd_writecache_counts counts;
};

/* A trip of the arm that writes out a part of a dirty stretch. */
struct vhdd_destage {
	uint64_t start;
	uint64_t length;
	double positioning_ns;
	double transfer_ns;
};

/* 0 or -ENOMEM. */
int vhdd_writecache_init(struct vhdd_writecache *cache, const struct vhdd_params *params);
void vhdd_writecache_destroy(struct vhdd_writecache *cache);

/* Whether it is a write for the cache, and not for the medium. */
bool vhdd_writecache_takes(const struct vhdd_writecache *cache, const struct vhdd_request *request);

/* Queues such a write, whose arrival is set. */
void vhdd_writecache_wait(struct vhdd_writecache *cache, struct vhdd_request *request);

/* The first write that waits and has arrived by then; NULL: none. */
struct vhdd_request *vhdd_writecache_first(const struct vhdd_writecache *cache, int64_t arrived_ns);

/* When the data of the first write that waits is in the cache; INT64_MAX: there is none, or no room for it. */
int64_t vhdd_writecache_take_ns(const struct vhdd_writecache *cache, const struct vhdd_params *params);

/* Takes that write at that time: its data is dirty from now on. */
struct vhdd_request *vhdd_writecache_take(struct vhdd_writecache *cache, int64_t now_ns);

/* Takes the first write off that waits, as if it had never come; NULL: there is none. */
struct vhdd_request *vhdd_writecache_withdraw(struct vhdd_writecache *cache);

/* Whether all of it is dirty, so that a read needs no arm. */
bool vhdd_writecache_has(const struct vhdd_writecache *cache, uint64_t offset, uint64_t length);

/* Half of the cache, or of its stretches, is dirty. */
bool vhdd_writecache_is_filling(const struct vhdd_writecache *cache);

/*
 * The trip from this track that reaches its data first, and no longer than one revolution of it. For data at goes_on,
 * where the last write has ended just now (UINT64_MAX: it has not), the head goes on. Only if something is dirty.
 */
struct vhdd_destage vhdd_writecache_choose(const struct vhdd_writecache *cache,
					   const struct vhdd_geometry *geometry, uint64_t track,
					   uint64_t goes_on, int64_t now_ns);

/* The arm makes that trip until finish_ns. */
void vhdd_writecache_destage(struct vhdd_writecache *cache, const struct vhdd_destage *destage,
			     int64_t now_ns, int64_t finish_ns);

#endif
