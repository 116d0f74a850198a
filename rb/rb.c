// SPDX-License-Identifier: BSD-2-Clause
/*
 * rb.c - see rb.h. Nesting is safe because an interrupted writer sees the nested writer as already
 * finished, between any two instructions. Only three variables need care. One instruction changes
 * `head`, or fails because of a nested reservation; then the writer tries again. A nested writer
 * leaves `busy` as it found it. One instruction adds to the lost counts.
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
 * With a `limit` of 0 every reservation goes through has_ring_room(), which sets no limit while the
 * ring is paused. `paused` is stored first, so that this also holds for a nested writer. Records
 * that a pass did not reach may be overwritten from now on.
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
 * True where `bytes` more than `head` may be reserved. In a forward ring this also sets `limit` for
 * later reservations. A nested writer may have set a newer limit meanwhile, but the older one is
 * also correct: the reader only ever makes more room.
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
 * The bytes of the whole records from `at` on that fit into `size`. Most headers equal the one
 * before. Then the CPU need not wait for the load: it continues with the known size, and the
 * comparison is a predicted branch. The barrier keeps the compiler from replacing the branch by a
 * conditional move.
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
			/*
			 * The end of the oldest record is overwritten. No other record reaches
			 * beyond the end of the pass.
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

/* All records before the tail were read, or were overwritten before they were read. */
static uint64_t tail_of(const struct rb *rb)
{
	return rb->mode & RB_OVERWRITE ? rb->tail : ring_load_own_tail(&rb->page->data_tail);
}

/* Bytes from `tail` to `head`, in the direction of writing. */
static uint64_t ring_distance(const struct rb *rb, uint64_t tail, uint64_t head)
{
	return rb->mode & RB_BACKWARD ? tail - head : head - tail;
}

/* The overwritten records of an overwritable ring are in no pass. */
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

/* Frees the room of what was read. Backward reading frees a whole pass at once. */
static void give_space_back(struct rb *rb)
{
	if (!(rb->mode & RB_BACKWARD))
		rb->tail = rb->at;
	else if (rb->at == rb->end)
		rb->tail = rb->begin;
	if (!(rb->mode & RB_OVERWRITE))
		order_d_store_tail(&rb->page->data_tail, rb->tail);
}

/* Frees the room of the records that it copied; other unread records keep theirs. */
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
