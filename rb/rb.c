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

/* Without a limit every reservation comes by has_room(). */
void rb_pause(struct rb *rb, bool paused)
{
	local_store(&rb->limit, 0);
	rb->paused = paused;
}

/*
 * Whether `bytes` more than `head` may be reserved. In a forward ring the answer holds for others
 * as well, up to `limit`, which nested writers may have moved on meanwhile: an older one is right
 * too, the reader only ever makes more room.
 */
static bool has_room(struct rb *rb, uint64_t head, size_t bytes)
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
		if (!has_room(rb, head, bytes))
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

static void copy_out(const struct rb *rb, uint64_t at, void *out, size_t n)
{
	size_t offset = at & rb->mask, first = rb->mask + 1 - offset;

	if (first > n)
		first = n;
	memcpy(out, rb->data + offset, first);
	memcpy((uint8_t *)out + first, rb->data, n - first);
}

/* The size of the record at `at`. Its header is one word, which never straddles the wrap. */
static size_t record_size(const struct rb *rb, uint64_t at)
{
	size_t size = *(const uint64_t *)(rb->data + (at & rb->mask)) >> 48;

	ASSERT(size >= sizeof(struct perf_event_header) && size % 8 == 0);
	return size;
}

/* A pass over what stands in an overwritable ring. */
static struct rb_reader newest(struct rb *rb, uint64_t head)
{
	struct rb_reader r = {.rb = rb, .begin = head, .at = head, .end = head};
	uint64_t size = rb->mask + 1;

	if (rb->mode & RB_BACKWARD) {
		r.end = -head > size ? head + size : 0;
	} else if (head - rb->followed <= size) {
		r.at = rb->followed;
	} else {
		r.missed = head - rb->followed;
	}
	return r;
}

void rb_reader_begin(struct rb_reader *r, struct rb *rb)
{
	uint64_t head = order_c_load_head(&rb->page->data_head), tail = rb->page->data_tail;

	if (rb->mode & RB_OVERWRITE)
		*r = newest(rb, head);
	else if (rb->mode & RB_BACKWARD)
		*r = (struct rb_reader){.rb = rb, .begin = head, .at = head, .end = tail};
	else
		*r = (struct rb_reader){.rb = rb, .begin = tail, .at = tail, .end = head};
}

/*
 * The size of the record at `at`, which is expected to be that of the one before it. Most often it
 * is, and then the CPU need not wait for this header to find the next one: it goes on with what was
 * expected, and the comparison is a branch that it predicts. So the compiler must neither know that
 * both are the same nor turn the branch into a choice.
 */
static inline size_t next_size(const struct rb *rb, uint64_t at, size_t expected)
{
	size_t size = record_size(rb, at), guess = expected;

	__asm__("" : "+r"(guess));
	if (__builtin_expect(size != expected, false)) {
		guess = size;
		local_barrier();
	}
	return guess;
}

/*
 * Never beyond what was read, to a head that was merely seen. Where the oldest record may be torn,
 * it is the one that reaches beyond the end; all others end in it.
 */
size_t rb_reader_next(struct rb_reader *r, void *out, size_t size)
{
	const uint64_t from = r->at, left = r->end - from;
	uint64_t bytes = 0;
	size_t n = 0;

	while (bytes != left) {
		n = next_size(r->rb, from + bytes, n);
		if (n > left - bytes) {
			ASSERT(r->rb->mode == (RB_BACKWARD | RB_OVERWRITE));
			r->end = from + bytes;
			break;
		}
		if (bytes + n > size) {
			ASSERT(bytes);
			break;
		}
		bytes += n;
	}
	copy_out(r->rb, from, out, bytes);
	r->at += bytes;
	return bytes;
}

void rb_reader_end(struct rb_reader *r)
{
	struct rb *rb = r->rb;

	switch (rb->mode) {
	case RB_OVERWRITE:
		rb->followed = r->at;
		break;
	case RB_BACKWARD:
		if (r->at == r->end)
			order_d_store_tail(&rb->page->data_tail, r->begin);
		break;
	case 0:
		order_d_store_tail(&rb->page->data_tail, r->at);
		break;
	}
}

size_t rb_read(struct rb *rb, void *out, size_t size)
{
	struct rb_reader r;
	size_t n;

	rb_reader_begin(&r, rb);
	n = rb_reader_next(&r, out, size);
	rb_reader_end(&r);
	return n;
}

uint64_t rb_used(const struct rb *rb)
{
	uint64_t head = order_c_load_head(&rb->page->data_head), size = rb->mask + 1;
	uint64_t used = head - rb->page->data_tail;

	if (rb->mode & RB_BACKWARD)
		used = -used;
	return used < size ? used : size;
}
