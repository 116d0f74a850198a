// SPDX-License-Identifier: BSD-2-Clause
/*
 * rb.c - see rb.h. Why nesting is right: a writer that is interrupted between any two instructions
 * sees the nested one as already over. So only three words need care: `head`, which one instruction
 * changes or leaves (another reservation came first: try again), `busy`, which a nested writer
 * leaves as it found it, and the lost counts, to which one instruction adds.
 */
#include "rb/rb.h"

#include "lib/panic.h"
#include "lib/string.h"
#include "rb/copy.h"

#include <linux/errno.h>

int rb_init(struct rb *rb, void *storage, size_t data_pages)
{
	size_t bytes = data_pages * RB_PAGE_SIZE;

	if (!data_pages || data_pages & (data_pages - 1) || bytes / RB_PAGE_SIZE != data_pages ||
	    (uintptr_t)storage % RB_PAGE_SIZE)
		return -EINVAL;
	memset(storage, 0, RB_PAGE_SIZE);
	*rb = (struct rb){
		.page = storage,
		.data = (uint8_t *)storage + RB_PAGE_SIZE,
		.mask = bytes - 1,
	};
	rb->page->data_offset = RB_PAGE_SIZE;
	rb->page->data_size = bytes;
	return 0;
}

void rb_set_mode(struct rb *rb, unsigned mode)
{
	rb->mode = mode;
	memset(rb->data, 0, rb->mask + 1);
}

/*
 * Without a limit every reservation comes by has_ring_room(), which sets none once the ring is
 * paused: hence in this order, for a writer in between. Records that a pass did not come to may be
 * overwritten from now on.
 */
void rb_pause(struct rb *rb, bool paused)
{
	rb->paused = paused;
	local_barrier();
	local_store(&rb->limit, 0);
	if (paused || rb->mode != (RB_BACKWARD | RB_OVERWRITE) || rb->at == rb->end)
		return;
	rb->missed += rb->end - rb->at;
	rb->at = rb->end;
	rb->tail = rb->begin;
}

/*
 * Whether `bytes` more than `head` may be reserved. In a forward ring the answer holds for others
 * as well, up to `limit`, which nested writers may have moved on meanwhile: an older one is right
 * too, the reader only ever makes more room.
 */
static bool has_ring_room(struct rb *rb, uint64_t head, size_t bytes)
{
	uint64_t size = rb->mask + 1, tail;

	if (rb->paused || bytes > size)
		return false;
	if (rb->mode & RB_OVERWRITE) {
		if (!(rb->mode & RB_BACKWARD))
			local_store(&rb->limit, UINT64_MAX);
		return true;
	}
	tail = order_a_load_tail(&rb->page->data_tail);
	if (rb->mode & RB_BACKWARD)
		return tail - head + bytes <= size;
	local_store(&rb->limit, tail + size + 1);
	return head + bytes - tail <= size;
}

bool rb_reserve(struct rb_writer *w, struct rb *rb, size_t bytes)
{
	bool backward = rb->mode & RB_BACKWARD;
	uint64_t head, next;

	do {
		head = local_load(&rb->head);
		next = backward ? head - bytes : head + bytes;
		if (!has_ring_room(rb, head, bytes))
			return false;
	} while (!local_cmpxchg(&rb->head, head, next));
	*w = (struct rb_writer){.rb = rb,
				.data = rb->data,
				.mask = rb->mask,
				.at = backward ? next : head,
				.head = next};
	return true;
}

void rb_put_bytes(struct rb_writer *w, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;
	uint64_t word;

	for (; n >= sizeof(word); n -= sizeof(word), from += sizeof(word)) {
		memcpy(&word, from, sizeof(word));
		rb_put(w, word);
	}
	if (n) {
		word = 0;
		memcpy(&word, from, n);
		rb_put(w, word);
	}
}

uint64_t rb_take_lost(struct rb *rb)
{
	uint64_t lost;

	do {
		lost = local_load(&rb->lost);
	} while (lost && !local_cmpxchg(&rb->lost, lost, 0));
	return lost;
}

/* The header of the record at `at`: one word, which never straddles the wrap. */
static inline uint64_t header_at(const struct rb *rb, uint64_t at)
{
	return ring_load((const uint64_t *)(rb->data + (at & rb->mask)));
}

static size_t rounded_record_size(uint64_t header)
{
	size_t size = header >> 48;

	ASSERT(size >= sizeof(struct perf_event_header) && size % 8 == 0);
	return size;
}

static bool is_sample(uint64_t header)
{
	return (uint32_t)header == PERF_RECORD_SAMPLE;
}

/*
 * Bytes of the whole records from `at` on that fit. Most often a header is that of the record
 * before, and then the CPU need not wait for it to find the next one: it goes on with the size that
 * it knows, and the comparison is a branch that it predicts. The barrier keeps the compiler from
 * turning the branch into a choice.
 */
static uint64_t whole_records(struct rb *rb, size_t size)
{
	const uint64_t from = rb->at, left = rb->end - from;
	uint64_t bytes = 0, header = 0, n = 0, sample = 0, samples = 0;

	while (bytes != left) {
		if (__builtin_expect(header_at(rb, from + bytes) != header, false)) {
			header = header_at(rb, from + bytes);
			n = rounded_record_size(header);
			sample = is_sample(header);
			local_barrier();
		}
		if (n > left - bytes) {
			/* The oldest one, of which the end is overwritten. All others end in time.
			 */
			ASSERT(rb->mode == (RB_BACKWARD | RB_OVERWRITE));
			rb->missed += left - bytes;
			rb->end = from + bytes;
			break;
		}
		if (bytes + n > size) {
			ASSERT(bytes);
			break;
		}
		samples += sample;
		bytes += n;
	}
	rb->samples += samples;
	return bytes;
}

/* All before it was read, or was overwritten before that. */
static uint64_t tail_of(const struct rb *rb)
{
	return rb->mode & RB_OVERWRITE ? rb->tail : ring_load_own_tail(&rb->page->data_tail);
}

/* Bytes from `tail` to `head`, in the direction of writing. */
static uint64_t ring_distance(const struct rb *rb, uint64_t tail, uint64_t head)
{
	return rb->mode & RB_BACKWARD ? tail - head : head - tail;
}

/* What of an overwritable ring was overwritten is in no pass. */
static void begin_pass(struct rb *rb)
{
	uint64_t head = order_c_load_head(&rb->page->data_head), size = rb->mask + 1;
	bool backward = rb->mode & RB_BACKWARD;
	uint64_t behind;

	rb->tail = tail_of(rb);
	behind = ring_distance(rb, rb->tail, head);
	if (behind > size) {
		rb->missed += backward ? behind - size : behind;
		rb->tail = backward ? head + size : head;
	}
	rb->begin = backward ? head : rb->tail;
	rb->end = backward ? rb->tail : head;
	rb->at = rb->begin;
}

/* The room of what was read is given back: where it is read backward, only of all together. */
static void give_space_back(struct rb *rb)
{
	if (!(rb->mode & RB_BACKWARD))
		rb->tail = rb->at;
	else if (rb->at == rb->end)
		rb->tail = rb->begin;
	if (!(rb->mode & RB_OVERWRITE))
		order_d_store_tail(&rb->page->data_tail, rb->tail);
}

/* Never beyond what was read, to a head that was merely seen. */
size_t rb_read(struct rb *rb, void *out, size_t size)
{
	uint64_t n;

	if (!(rb->mode & RB_BACKWARD) || rb->at == rb->end)
		begin_pass(rb);
	n = whole_records(rb, size);
	rb_copy_out(out, rb->data, rb->mask, rb->at, n);
	rb->at += n;
	give_space_back(rb);
	return n;
}

uint64_t rb_used(const struct rb *rb)
{
	uint64_t size = rb->mask + 1;
	uint64_t used = ring_distance(rb, tail_of(rb), order_c_load_head(&rb->page->data_head));

	return used < size ? used : size;
}
