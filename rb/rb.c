// SPDX-License-Identifier: BSD-2-Clause
/*
 * rb.c - see rb.h. Why nesting is right: a writer that is interrupted between any two instructions
 * sees the nested one as already over. So only three words need care, and each is changed by one
 * instruction: `head` (another reservation came first: try again), `nest` (back to what it was)
 * and the lost counts.
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

/*
 * The way out of a writer. Only the outermost publishes. A nested writer that comes while `nest` is
 * still 1 leaves that to us, and `head` has moved on when we look again; one that comes later has
 * published by itself.
 */
static void leave(struct rb *rb)
{
	uint64_t head;

	if (local_load(&rb->nest) > 1) {
		local_add(&rb->nest, (uint64_t)-1);
		return;
	}
	for (;;) {
		head = local_load(&rb->head);
		order_b_store_head(&rb->page->data_head, head);
		local_store(&rb->nest, 0);
		if (local_load(&rb->head) == head)
			return;
		local_store(&rb->nest, 1);
	}
}

bool rb_begin(struct rb_writer *w, struct rb *rb, size_t bytes)
{
	uint64_t head;

	local_add(&rb->nest, 1);
	do {
		head = local_load(&rb->head);
		if (head + bytes - order_a_load_tail(&rb->page->data_tail) > rb->mask + 1) {
			leave(rb);
			return false;
		}
	} while (!local_cmpxchg(&rb->head, head, head + bytes));
	*w = (struct rb_writer){rb, head};
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

void rb_end(struct rb_writer *w)
{
	leave(w->rb);
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

/* The size of the record at `at`, of which all up to `head` may be read. */
static size_t record_size(const struct rb *rb, uint64_t at, uint64_t head)
{
	struct perf_event_header header;

	copy_out(rb, at, &header, sizeof(header));
	ASSERT(header.size >= sizeof(header) && header.size % 8 == 0 && header.size <= head - at);
	return header.size;
}

size_t rb_read(struct rb *rb, void *out, size_t size)
{
	uint64_t head = order_c_load_head(&rb->page->data_head), tail = rb->page->data_tail;
	uint64_t end = tail;

	while (end != head) {
		size_t n = record_size(rb, end, head);

		if (end + n - tail > size) {
			ASSERT(end != tail);
			break;
		}
		end += n;
	}
	copy_out(rb, tail, out, end - tail);
	order_d_store_tail(&rb->page->data_tail, end);
	return end - tail;
}
