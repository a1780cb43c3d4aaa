// SPDX-License-Identifier: Apache-2.0
#include "readahead.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int vhdd_readahead_init(struct vhdd_readahead *buffer, const struct vhdd_params *params)
{
	*buffer = (struct vhdd_readahead){
		.disk_bytes = params->size_bytes,
		.ahead_bytes = params->readahead_bytes,
		.min_bytes = params->min_prefetch_bytes,
		.capacity = params->segments,
	};
	if (buffer->capacity > 0) {
		buffer->past = calloc(buffer->capacity, sizeof(*buffer->past));
		if (buffer->past == NULL)
			return -ENOMEM;
	}
	return 0;
}

void vhdd_readahead_destroy(struct vhdd_readahead *buffer)
{
	free(buffer->past);
	buffer->past = NULL;
}

uint64_t vhdd_readahead_reached(const struct vhdd_readahead *buffer, int64_t now_ns)
{
	double read;

	if (now_ns <= buffer->base_ns)
		return buffer->base;
	read = (double)(now_ns - buffer->base_ns) * buffer->bytes_per_ns;
	if (read >= (double)(buffer->limit - buffer->base))
		return buffer->limit;
	return buffer->base + (uint64_t)read;
}

int64_t vhdd_readahead_done_ns(const struct vhdd_readahead *buffer)
{
	if (!buffer->active)
		return INT64_MIN;
	return buffer->base_ns +
	       llround((double)(buffer->limit - buffer->base) / buffer->bytes_per_ns);
}

int64_t vhdd_readahead_may_leave_ns(const struct vhdd_readahead *buffer)
{
	if (!buffer->active || buffer->least <= buffer->base)
		return INT64_MIN;
	return buffer->base_ns +
	       llround((double)(buffer->least - buffer->base) / buffer->bytes_per_ns);
}

static bool in_past(const struct vhdd_readahead *buffer, uint64_t offset, uint64_t end)
{
	for (uint32_t i = 0; i < buffer->used; i++) {
		if (offset >= buffer->past[i].start && end <= buffer->past[i].end)
			return true;
	}
	return false;
}

static bool on_active(const struct vhdd_readahead *buffer, uint64_t offset, uint64_t end,
		      int64_t now_ns)
{
	return buffer->active && offset >= buffer->start &&
	       end <= vhdd_readahead_reached(buffer, now_ns);
}

enum vhdd_buffer_state vhdd_readahead_lookup(const struct vhdd_readahead *buffer, uint64_t offset,
					     uint64_t length, int64_t now_ns)
{
	uint64_t end = offset + length;

	if (buffer->active && offset >= buffer->start) {
		uint64_t reached = vhdd_readahead_reached(buffer, now_ns);
		if (end <= reached)
			return VHDD_BUFFER_HIT;
		if (offset <= reached && reached < buffer->limit)
			return VHDD_BUFFER_ARRIVING;
	}
	return in_past(buffer, offset, end) ? VHDD_BUFFER_HIT : VHDD_BUFFER_MISS;
}

/* The host has consumed up to end: the limit moves on, and the oldest bytes are given up. */
static void move_limit(struct vhdd_readahead *buffer, uint64_t end)
{
	uint64_t limit = end + buffer->ahead_bytes;
	uint64_t held;

	if (limit > buffer->disk_bytes)
		limit = buffer->disk_bytes;
	if (limit > buffer->limit)
		buffer->limit = limit;
	held = 2 * buffer->ahead_bytes;
	if (buffer->limit - buffer->start > held && end - buffer->start > buffer->ahead_bytes)
		buffer->start = end - buffer->ahead_bytes;
}

/* The head has read up to end for a command. */
static void set_least(struct vhdd_readahead *buffer, uint64_t end)
{
	uint64_t least = end + buffer->min_bytes;

	buffer->least = least < buffer->limit ? least : buffer->limit;
}

void vhdd_readahead_hit(struct vhdd_readahead *buffer, const struct vhdd_geometry *geometry,
			uint64_t offset, uint64_t length, int64_t now_ns)
{
	uint64_t stopped = buffer->limit;

	if (!on_active(buffer, offset, offset + length, now_ns))
		return;
	bool stands = vhdd_readahead_reached(buffer, now_ns) == stopped;
	move_limit(buffer, offset + length);
	if (stands && buffer->limit > stopped) {
		struct vhdd_place place = vhdd_geometry_locate(geometry, stopped);
		double wait = vhdd_geometry_wait_ns(geometry, place.angle_ns, now_ns, 0);
		buffer->base = stopped;
		buffer->base_ns = now_ns + llround(wait);
		buffer->bytes_per_ns = vhdd_geometry_bytes_per_ns(geometry, &place);
	}
}

int64_t vhdd_readahead_arrive(struct vhdd_readahead *buffer, const struct vhdd_geometry *geometry,
			      uint64_t offset, uint64_t length)
{
	uint64_t end = offset + length;
	double left = (double)(end - buffer->base);
	int64_t finish_ns = buffer->base_ns + llround(left / buffer->bytes_per_ns);
	struct vhdd_place place = vhdd_geometry_locate(geometry, end - 1);

	buffer->base = end;
	buffer->base_ns = finish_ns;
	buffer->bytes_per_ns = vhdd_geometry_bytes_per_ns(geometry, &place);
	if (buffer->limit < end)
		buffer->limit = end;
	move_limit(buffer, end);
	set_least(buffer, end);
	return finish_ns;
}

void vhdd_readahead_leave(struct vhdd_readahead *buffer, int64_t now_ns)
{
	if (buffer->active && buffer->capacity > 0) {
		buffer->past[buffer->oldest] = (struct vhdd_stretch){
			.start = buffer->start,
			.end = vhdd_readahead_reached(buffer, now_ns),
		};
		buffer->oldest = (buffer->oldest + 1) % buffer->capacity;
		if (buffer->used < buffer->capacity)
			buffer->used++;
	}
	buffer->active = false;
}

void vhdd_readahead_begin(struct vhdd_readahead *buffer, const struct vhdd_geometry *geometry,
			  uint64_t offset, uint64_t length, int64_t finish_ns)
{
	uint64_t end = offset + length;
	struct vhdd_place place = vhdd_geometry_locate(geometry, end - 1);

	buffer->active = true;
	buffer->start = offset;
	buffer->base = end;
	buffer->base_ns = finish_ns;
	buffer->bytes_per_ns = vhdd_geometry_bytes_per_ns(geometry, &place);
	buffer->limit = end;
	move_limit(buffer, end);
	set_least(buffer, end);
}
