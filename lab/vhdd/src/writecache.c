// SPDX-License-Identifier: Apache-2.0
#include "writecache.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int vhdd_writecache_init(struct vhdd_writecache *cache, const struct vhdd_params *params)
{
	*cache = (struct vhdd_writecache){
		.capacity_bytes = params->write_cache_bytes,
		.capacity = params->write_cache_stretches,
		.left_ns = INT64_MIN,
		.link_free_ns = INT64_MIN,
		.open_ns = INT64_MIN,
	};
	STAILQ_INIT(&cache->waiting);
	if (cache->capacity_bytes == 0)
		return 0;
	cache->dirty = calloc(cache->capacity, sizeof(*cache->dirty));
	return cache->dirty == NULL ? -ENOMEM : 0;
}

void vhdd_writecache_destroy(struct vhdd_writecache *cache)
{
	free(cache->dirty);
	cache->dirty = NULL;
}

bool vhdd_writecache_takes(const struct vhdd_writecache *cache, const struct vhdd_request *request)
{
	return request->write && !request->fua && request->length <= cache->capacity_bytes;
}

void vhdd_writecache_wait(struct vhdd_writecache *cache, struct vhdd_request *request)
{
	struct vhdd_request *before = NULL;
	struct vhdd_request *other;

	STAILQ_FOREACH(other, &cache->waiting, link) {
		if (other->arrival_ns > request->arrival_ns)
			break;
		before = other;
	}
	if (before == NULL)
		STAILQ_INSERT_HEAD(&cache->waiting, request, link);
	else
		STAILQ_INSERT_AFTER(&cache->waiting, before, request, link);
	cache->waiting_count++;
}

struct vhdd_request *vhdd_writecache_first(const struct vhdd_writecache *cache, int64_t arrived_ns)
{
	struct vhdd_request *first = STAILQ_FIRST(&cache->waiting);

	return first != NULL && first->arrival_ns <= arrived_ns ? first : NULL;
}

/* The dirty stretches that overlap or touch this one: the first of them, and how many. */
static uint32_t neighbours(const struct vhdd_writecache *cache, uint64_t start, uint64_t end,
			   uint32_t *count)
{
	uint32_t first = 0;
	uint32_t after;

	while (first < cache->used && cache->dirty[first].end < start)
		first++;
	after = first;
	while (after < cache->used && cache->dirty[after].start <= end)
		after++;
	*count = after - first;
	return first;
}

/* What a stretch becomes together with its neighbours. */
static struct vhdd_dirty joined(const struct vhdd_writecache *cache, uint64_t start, uint64_t end,
				uint32_t first, uint32_t count)
{
	struct vhdd_dirty all = {start, end};

	if (count > 0 && cache->dirty[first].start < all.start)
		all.start = cache->dirty[first].start;
	if (count > 0 && cache->dirty[first + count - 1].end > all.end)
		all.end = cache->dirty[first + count - 1].end;
	return all;
}

static uint64_t bytes_in(const struct vhdd_writecache *cache, uint32_t first, uint32_t count)
{
	uint64_t bytes = 0;

	for (uint32_t i = first; i < first + count; i++)
		bytes += cache->dirty[i].end - cache->dirty[i].start;
	return bytes;
}

/* Whether there is room for a write beside so much that leaves. */
static bool has_room(const struct vhdd_writecache *cache, const struct vhdd_request *request,
		     uint64_t leaving_bytes, uint32_t leaving)
{
	uint64_t end = request->offset + request->length;
	uint32_t count;
	uint32_t first = neighbours(cache, request->offset, end, &count);
	struct vhdd_dirty all = joined(cache, request->offset, end, first, count);
	uint64_t bytes = cache->bytes - bytes_in(cache, first, count) + (all.end - all.start);

	return bytes + leaving_bytes <= cache->capacity_bytes &&
	       cache->used - count + 1 + leaving <= cache->capacity;
}

static bool waits_for_what_leaves(const struct vhdd_writecache *cache,
				  const struct vhdd_request *request)
{
	return !has_room(cache, request, cache->leaving_bytes, cache->leaving);
}

int64_t vhdd_writecache_take_ns(const struct vhdd_writecache *cache, const struct vhdd_params *params)
{
	const struct vhdd_request *first = STAILQ_FIRST(&cache->waiting);
	int64_t begin_ns;

	if (first == NULL || !has_room(cache, first, 0, 0))
		return INT64_MAX;
	begin_ns = later(first->arrival_ns + params->overhead_ns,
			 later(cache->link_free_ns, cache->open_ns));
	if (waits_for_what_leaves(cache, first))
		begin_ns = later(begin_ns, cache->left_ns);
	return begin_ns + llround((double)first->length / params->interface_bytes_per_s * 1e9);
}

static void put(struct vhdd_writecache *cache, uint64_t start, uint64_t end)
{
	uint32_t count;
	uint32_t first = neighbours(cache, start, end, &count);
	struct vhdd_dirty all = joined(cache, start, end, first, count);

	cache->bytes += all.end - all.start - bytes_in(cache, first, count);
	memmove(&cache->dirty[first + 1], &cache->dirty[first + count],
		(cache->used - first - count) * sizeof(*cache->dirty));
	cache->dirty[first] = all;
	cache->used = cache->used - count + 1;
}

struct vhdd_request *vhdd_writecache_withdraw(struct vhdd_writecache *cache)
{
	struct vhdd_request *first = STAILQ_FIRST(&cache->waiting);

	if (first != NULL) {
		STAILQ_REMOVE_HEAD(&cache->waiting, link);
		cache->waiting_count--;
	}
	return first;
}

struct vhdd_request *vhdd_writecache_take(struct vhdd_writecache *cache, int64_t now_ns)
{
	struct vhdd_request *request = vhdd_writecache_withdraw(cache);

	put(cache, request->offset, request->offset + request->length);
	cache->link_free_ns = now_ns;
	/* The arm has done nothing for it. */
	request->start_ns = now_ns;
	request->finish_ns = now_ns;
	return request;
}

bool vhdd_writecache_has(const struct vhdd_writecache *cache, uint64_t offset, uint64_t length)
{
	for (uint32_t i = 0; i < cache->used; i++) {
		if (offset >= cache->dirty[i].start && offset + length <= cache->dirty[i].end)
			return true;
	}
	return false;
}

bool vhdd_writecache_is_filling(const struct vhdd_writecache *cache)
{
	return cache->used > 0 && (cache->bytes >= cache->capacity_bytes / 2 ||
				   cache->used >= cache->capacity / 2);
}

static double positioning_ns(const struct vhdd_geometry *geometry, const struct vhdd_place *place,
			     uint64_t track, int64_t now_ns)
{
	double seek_ns = vhdd_geometry_seek_ns(geometry, track, place->track, true);

	return seek_ns + vhdd_geometry_wait_ns(geometry, place->angle_ns, now_ns, seek_ns);
}

struct vhdd_destage vhdd_writecache_choose(const struct vhdd_writecache *cache,
					   const struct vhdd_geometry *geometry, uint64_t track,
					   uint64_t goes_on, int64_t now_ns)
{
	struct vhdd_destage best = {.positioning_ns = INFINITY};

	for (uint32_t i = 0; i < cache->used; i++) {
		const struct vhdd_dirty *dirty = &cache->dirty[i];
		struct vhdd_place place = vhdd_geometry_locate(geometry, dirty->start);
		uint64_t length = dirty->end - dirty->start;
		double wanted_ns = dirty->start == goes_on
					   ? vhdd_geometry_go_on_ns(geometry, goes_on)
					   : positioning_ns(geometry, &place, track, now_ns);

		if (wanted_ns >= best.positioning_ns)
			continue;
		best = (struct vhdd_destage){
			.start = dirty->start,
			.length = length < place.track_bytes ? length : place.track_bytes,
			.positioning_ns = wanted_ns,
		};
	}
	best.transfer_ns = vhdd_geometry_transfer_ns(geometry, best.start, best.length);
	return best;
}

void vhdd_writecache_destage(struct vhdd_writecache *cache, const struct vhdd_destage *destage,
			     int64_t now_ns, int64_t finish_ns)
{
	const struct vhdd_request *first = STAILQ_FIRST(&cache->waiting);
	uint32_t i = 0;

	if (first != NULL && waits_for_what_leaves(cache, first))
		cache->open_ns = later(cache->open_ns, cache->left_ns);
	while (cache->dirty[i].start != destage->start)
		i++;
	cache->dirty[i].start += destage->length;
	cache->bytes -= destage->length;
	cache->leaving_bytes = destage->length;
	cache->leaving = cache->dirty[i].start == cache->dirty[i].end;
	cache->left_ns = finish_ns;
	if (cache->leaving) {
		cache->used--;
		memmove(&cache->dirty[i], &cache->dirty[i + 1],
			(cache->used - i) * sizeof(*cache->dirty));
	}
	cache->counts.destages++;
	cache->counts.destaged_bytes += destage->length;
	cache->counts.destage_ns += finish_ns - now_ns;
}
