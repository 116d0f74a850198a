/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rb.h - the perf ring: one control page (struct perf_event_mmap_page) and 2^n data pages, as
 * perf_event_open(2) lays them out, in storage that the caller gives.
 *
 * One CPU writes, from any context: writers nest (task, IRQ, NMI), each ends before the one it
 * interrupted goes on, and only the outermost publishes the head. A record is reserved whole, is
 * built in place, and is never seen half-written. Its size is a multiple of 8 and so is the ring's:
 * no word of it straddles the wrap, which is why records are put word by word.
 *
 * One reader, on any CPU. data_head and data_tail run freely; only their difference and their low
 * bits mean something. Invariant: data_tail <= data_head <= head <= data_tail + bytes.
 */
#ifndef RB_RB_H
#define RB_RB_H

#include "rb/order.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RB_PAGE_SIZE 4096

/* A record's size is 16 bits in its header, and a multiple of 8. */
#define RB_MAX_RECORD 65528

struct rb {
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t mask; /* bytes of data - 1 */
	uint64_t head; /* end of all reservations; data_head follows */
	uint64_t nest; /* writers between rb_begin() and rb_end() */
	uint64_t lost; /* records that found no room and that no LOST record tells of yet */
	uint64_t lost_total;
};

/*
 * rb_init() - an empty ring in `storage`: the control page, then `data_pages` pages, a power of
 * two. `storage` is page-aligned and lives as long as the ring. -EINVAL for any other number or
 * alignment. Task context.
 */
int rb_init(struct rb *rb, void *storage, size_t data_pages);

/* A record between rb_begin() and rb_end(). */
struct rb_writer {
	struct rb *rb;
	uint64_t at; /* where the next word goes, free-running */
};

/*
 * rb_begin() - reserves `bytes`, a multiple of 8 up to RB_MAX_RECORD, for one record or several.
 * False when there is no room: nothing is reserved then and rb_end() must not be called; who gives
 * up says so by rb_lose(). Any context, on the ring's CPU. Bounded: retries only when a nested
 * writer got in between, so never in an NMI.
 */
bool rb_begin(struct rb_writer *w, struct rb *rb, size_t bytes);

/* rb_put() - the next word of the record. */
static inline void rb_put(struct rb_writer *w, uint64_t word)
{
	*(uint64_t *)(w->rb->data + (w->at & w->rb->mask)) = word;
	w->at += sizeof(word);
}

/* rb_put_bytes() - the next `n` bytes, filled up with zeros to a multiple of 8. */
void rb_put_bytes(struct rb_writer *w, const void *bytes, size_t n);

/*
 * rb_end() - all that was reserved has been put. The outermost writer makes it visible, together
 * with what nested ones left. Bounded as rb_begin().
 */
void rb_end(struct rb_writer *w);

/* rb_lose() - counts `records` that will never be in the ring. Any context. */
static inline void rb_lose(struct rb *rb, uint64_t records)
{
	local_add(&rb->lost, records);
	local_add(&rb->lost_total, records);
}

/*
 * rb_take_lost() - how many were lost since the last call, for a LOST record; whoever cannot write
 * one gives the number back by rb_return_lost(). Any context, on the ring's CPU.
 */
uint64_t rb_take_lost(struct rb *rb);

static inline void rb_return_lost(struct rb *rb, uint64_t records)
{
	local_add(&rb->lost, records);
}

/*
 * rb_read() - copies as many whole records as fit into `size` bytes at `out`, oldest first, and
 * gives their room back. Returns their bytes, 0 when nothing is there. The position moves by just
 * what was copied. `size` must hold the largest record that is ever written. One reader at a time,
 * any context.
 */
size_t rb_read(struct rb *rb, void *out, size_t size);

/* rb_used() - bytes that wait for the reader. Any context. */
static inline uint64_t rb_used(const struct rb *rb)
{
	return order_c_load_head(&rb->page->data_head) - rb->page->data_tail;
}

#endif
