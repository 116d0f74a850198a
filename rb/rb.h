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
 * bits mean something. Invariant: data_tail <= data_head <= head <= data_tail + bytes; in a ring
 * that is written backward the same with all signs changed, and an overwritable one has no tail.
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

/* Writer and reader on two CPUs share no line but the one of data_head and data_tail. */
#define RB_LINE 64

enum {
	RB_BACKWARD = 1,  /* attr.write_backward: from the end of the data to its begin */
	RB_OVERWRITE = 2, /* as mapped read-only: the oldest give way, and nothing is lost */
};

struct rb_aux;

struct rb {
	/* Set up in task context, then only looked at. */
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t mask; /* bytes of data - 1 */
	unsigned mode; /* RB_BACKWARD, RB_OVERWRITE */
	bool paused;
	struct rb_aux *aux; /* aux.h; NULL: it has no AUX area */

	/* The writers'. */
	uint64_t head
		__attribute__((aligned(RB_LINE))); /* of all reservations; data_head follows */
	uint64_t limit;      /* reservations that end below it need not look for room */
	uint64_t busy;       /* a writer is between rb_begin() and rb_end(), and will publish */
	uint64_t lost;       /* records that found no room and that no LOST record tells of yet */
	uint64_t lost_total; /* since rb_init() */

	/* What to wake for what was written, and when: the code that writes records keeps these. */
	uint64_t watermark;            /* bytes between wake-ups; 0: none */
	uint64_t wakeup_at;            /* where `head` has to be for the next one */
	uint64_t events;               /* records since the last one */
	void (*wakeup)(struct rb *rb); /* any context; NULL: pmu_host.wakeup() */

	/* The reader's. Positions as data_head. */
	uint64_t tail
		__attribute__((aligned(RB_LINE))); /* all before it was read, or overwritten */
	uint64_t begin, at, end;                   /* the pass that is under way */
	uint64_t samples;                          /* SAMPLE records that were read */
	uint64_t missed;                           /* bytes that were overwritten */
};

/*
 * rb_init() - an empty ring in `storage`: the control page, then `data_pages` pages, a power of
 * two. `storage` is page-aligned and lives as long as the ring. Forward, never overwritten.
 * -EINVAL for any other number or alignment. Task context.
 */
int rb_init(struct rb *rb, void *storage, size_t data_pages);

/*
 * rb_set_mode() - RB_BACKWARD and RB_OVERWRITE; before the first record. Clears the data: in a ring
 * that was not filled yet, a reader without a tail knows the end by a header of zeros. Task
 * context.
 */
void rb_set_mode(struct rb *rb, unsigned mode);

/*
 * rb_pause() - as PERF_EVENT_IOC_PAUSE_OUTPUT: from now on nothing is written, or again. What would
 * have been is lost, and counted so. What is not read of an overwritable ring when it goes on has
 * been missed. Task context, on the ring's CPU; the reader waits.
 */
void rb_pause(struct rb *rb, bool paused);

/* A record between rb_begin() and rb_end(). */
struct rb_writer {
	struct rb *rb;
	uint8_t *data; /* of the ring */
	uint64_t mask;
	uint64_t at;   /* where the next word goes, free-running */
	uint64_t head; /* of the ring, right after this reservation */
	bool outermost;
};

/* rb_reserve() - rb_begin() with a closer look for room; leaves `outermost` alone. */
bool rb_reserve(struct rb_writer *w, struct rb *rb, size_t bytes);

/*
 * The way out of the outermost writer. One that nests in here before `busy` is 0 leaves publishing
 * to us, and `head` has moved on when we look again; one that comes later has published by itself.
 */
static inline void rb_publish(struct rb *rb, uint64_t head)
{
	for (;;) {
		order_b_store_head(&rb->page->data_head, head);
		local_store(&rb->busy, 0);
		if (__builtin_expect(local_load(&rb->head) == head, true))
			return;
		local_store(&rb->busy, 1);
		head = local_load(&rb->head);
	}
}

/*
 * rb_begin() - reserves `bytes`, a multiple of 8 up to RB_MAX_RECORD, for one record or several.
 * False when there is no room: nothing is reserved then and rb_end() must not be called; a caller
 * that gives up says so by rb_lose(). Any context, on the ring's CPU. Bounded: retries only when a
 * nested writer got in between, so never in an NMI.
 */
static inline bool rb_begin(struct rb_writer *w, struct rb *rb, size_t bytes)
{
	bool outermost = !local_load(&rb->busy);
	struct rb_writer slow;
	uint64_t head;

	local_store(&rb->busy, 1);
	head = local_load(&rb->head);
	if (__builtin_expect(head + bytes < local_load(&rb->limit), true) &&
	    __builtin_expect(local_cmpxchg(&rb->head, head, head + bytes), true)) {
		*w = (struct rb_writer){.rb = rb,
					.data = rb->data,
					.mask = rb->mask,
					.at = head,
					.head = head + bytes,
					.outermost = outermost};
		return true;
	}
	if (rb_reserve(&slow, rb, bytes)) {
		*w = slow;
		w->outermost = outermost;
		return true;
	}
	if (outermost)
		rb_publish(rb, local_load(&rb->head));
	return false;
}

/* rb_put() - the next word of the record. */
static inline void rb_put(struct rb_writer *w, uint64_t word)
{
	ring_store((uint64_t *)(w->data + (w->at & w->mask)), word);
	w->at += sizeof(word);
}

/* rb_put_words() - the next `n` words. */
static inline void rb_put_words(struct rb_writer *w, const uint64_t *words, size_t n)
{
	uint64_t offset = w->at & w->mask;

	if (__builtin_expect(offset + n * sizeof(*words) <= w->mask + 1, true)) {
		uint64_t *end = (uint64_t *)(w->data + offset) + n;

		/* Up to 0: one register counts and points. */
		for (int64_t i = -(int64_t)n; i; i++)
			ring_store(&end[i], words[n + (uint64_t)i]);
		w->at += n * sizeof(*words);
		return;
	}
	for (size_t i = 0; i < n; i++)
		rb_put(w, words[i]);
}

/* rb_put_bytes() - the next `n` bytes, filled up with zeros to a multiple of 8. */
void rb_put_bytes(struct rb_writer *w, const void *bytes, size_t n);

/*
 * rb_end() - all that was reserved has been put. The outermost writer makes it visible, together
 * with what nested ones left. Bounded as rb_begin().
 */
static inline void rb_end(struct rb_writer *w)
{
	if (w->outermost)
		rb_publish(w->rb, w->head);
}

/* rb_lose() - counts `records` that will never be in the ring. Any context. */
static inline void rb_lose(struct rb *rb, uint64_t records)
{
	local_add(&rb->lost, records);
	local_add(&rb->lost_total, records);
}

/*
 * rb_take_lost() - how many were lost since the last call, for a LOST record; a caller that cannot
 * write one gives the number back by rb_return_lost(). Any context, on the ring's CPU.
 */
uint64_t rb_take_lost(struct rb *rb);

static inline void rb_return_lost(struct rb *rb, uint64_t records)
{
	local_add(&rb->lost, records);
}

/*
 * rb_read() - copies as many whole records as fit into `size` bytes at `out` and returns their
 * bytes; 0 when there are no more. The position moves by just what was copied, and no record comes
 * twice. `size` must hold the largest record that is ever written. One reader at a time, any
 * context.
 *
 * Forward: oldest first, and their room is given back. Backward: in passes, each with what stood
 * there when it began, newest first, and the room is given back after a pass.
 *
 * An overwritable ring is paused meanwhile. Backward, it gives the newest records that are whole:
 * the oldest one may be overwritten in part. Forward, nothing tells where the oldest one begins, so
 * a reader more than a ring behind goes on with what comes next. rb_missed() - the bytes that
 * were overwritten before they were read; whole records, but for those whose rest still stood.
 */
size_t rb_read(struct rb *rb, void *out, size_t size);

static inline uint64_t rb_missed(const struct rb *rb)
{
	return rb->missed;
}

/* rb_used() - bytes that wait for the reader, at most the ring's. Any context. */
uint64_t rb_used(const struct rb *rb);

#endif
