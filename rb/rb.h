/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rb.h - the perf ring: one control page (struct perf_event_mmap_page) and 2^n data pages, laid out
 * as in perf_event_open(2), in storage that the caller provides.
 *
 * One CPU writes, from any context. Writers nest (task, IRQ, NMI): each ends before the one it
 * interrupted continues, and only the outermost publishes the head. A record is reserved whole, is
 * built in place, and is never seen half-written. The sizes of records and of the ring are
 * multiples of 8, so no word straddles the wrap. This is why records are written word by word.
 *
 * One reader runs on any CPU. data_head and data_tail run freely; only their difference and their
 * low bits have a meaning. Invariant: data_tail <= data_head <= head <= data_tail + bytes. In a
 * ring that is written backward, all signs are reversed; an overwritable ring has no tail.
 */
#ifndef RB_RB_H
#define RB_RB_H

#include "rb/order.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RB_PAGE_SIZE 4096

/* The size field of a record's header has 16 bits, and a size is a multiple of 8. */
#define RB_MAX_RECORD 65528

/* Alignment that keeps the writer's and the reader's fields in different cache lines. */
#define RB_LINE 64

enum {
	RB_BACKWARD = 1,  /* attr.write_backward: from the end of the data to its start */
	RB_OVERWRITE = 2, /* as mapped read-only: new records replace the oldest ones */
};

struct rb_aux;

struct rb {
	/* Set up in task context, then read-only. */
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t mask; /* size of `data` in bytes - 1 */
	unsigned mode; /* RB_BACKWARD, RB_OVERWRITE */
	bool paused;
	struct rb_aux *aux; /* aux.h; NULL: no AUX area */

	/* Fields of the writers. */
	uint64_t head
		__attribute__((aligned(RB_LINE))); /* end of all reservations; data_head follows */
	uint64_t limit;      /* reservations that end below it need not check for room */
	uint64_t busy;       /* a writer is between rb_begin() and rb_end(), and will publish */
	uint64_t lost;       /* records that found no room and are in no LOST record yet */
	uint64_t lost_total; /* since rb_init() */

	/* Wake-ups of the reader. The code that writes records maintains these; rb.c does not. */
	uint64_t watermark;            /* bytes between wake-ups; 0: none */
	uint64_t wakeup_at;            /* `head` at the next wake-up */
	uint64_t events;               /* records since the last wake-up */
	void (*wakeup)(struct rb *rb); /* any context; NULL: pmu_host.wakeup() */

	/* Fields of the reader. Positions run freely, as data_head. */
	uint64_t tail __attribute__((
		aligned(RB_LINE))); /* all records before it were read or overwritten */
	uint64_t begin, at, end;    /* the current pass */
	uint64_t samples;           /* SAMPLE records that were read */
	uint64_t missed;            /* bytes that were overwritten */
};

/*
 * rb_init() - creates an empty ring in `storage`: the control page, then `data_pages` pages, a
 * power of two. `storage` is page-aligned and lives as long as the ring. The mode is forward, not
 * overwritable. -EINVAL for any other number or alignment. Task context.
 */
int rb_init(struct rb *rb, void *storage, size_t data_pages);

/*
 * rb_set_mode() - sets RB_BACKWARD and RB_OVERWRITE, before the first record. Clears the data: in a
 * ring that was never filled, a reader without a tail recognizes the end by a header of zeros. Task
 * context.
 */
void rb_set_mode(struct rb *rb, unsigned mode);

/*
 * rb_pause() - pauses or resumes writing, as PERF_EVENT_IOC_PAUSE_OUTPUT. Records of a paused ring
 * are lost, and counted as lost. Unread records of an overwritable ring count as missed when it
 * resumes. Task context, on the ring's CPU, while no reader runs.
 */
void rb_pause(struct rb *rb, bool paused);

/* A record between rb_begin() and rb_end(). */
struct rb_writer {
	struct rb *rb;
	uint8_t *data; /* of the ring */
	uint64_t mask;
	uint64_t at;   /* where the next word goes, free-running */
	uint64_t head; /* `head` of the ring right after this reservation */
	bool outermost;
};

/* rb_reserve() - the slow path of rb_begin(), which checks for room. Does not set `outermost`. */
bool rb_reserve(struct rb_writer *w, struct rb *rb, size_t bytes);

/*
 * The outermost writer publishes. A writer that nests before `busy` is 0 does not publish; the
 * second look at `head` finds its records. A writer that nests later has published by itself.
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
 * False: there is no room, nothing is reserved, and rb_end() must not be called. A caller that
 * gives up then calls rb_lose(). Any context, on the ring's CPU. Bounded: it retries only when a
 * nested writer came in between, so never in an NMI.
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

/* rb_put() - writes the next word of the record. */
static inline void rb_put(struct rb_writer *w, uint64_t word)
{
	ring_store((uint64_t *)(w->data + (w->at & w->mask)), word);
	w->at += sizeof(word);
}

/* rb_put_words() - writes the next `n` words. */
static inline void rb_put_words(struct rb_writer *w, const uint64_t *words, size_t n)
{
	uint64_t offset = w->at & w->mask;

	if (__builtin_expect(offset + n * sizeof(*words) <= w->mask + 1, true)) {
		uint64_t *end = (uint64_t *)(w->data + offset) + n;

		/* The index counts up to 0, so that one register is both counter and pointer. */
		for (int64_t i = -(int64_t)n; i; i++)
			ring_store(&end[i], words[n + (uint64_t)i]);
		w->at += n * sizeof(*words);
		return;
	}
	for (size_t i = 0; i < n; i++)
		rb_put(w, words[i]);
}

/* rb_put_bytes() - writes the next `n` bytes, padded with zeros to a multiple of 8. */
void rb_put_bytes(struct rb_writer *w, const void *bytes, size_t n);

/*
 * rb_end() - ends a record that is completely written. The outermost writer publishes it, together
 * with those of nested writers. Bounded like rb_begin().
 */
static inline void rb_end(struct rb_writer *w)
{
	if (w->outermost)
		rb_publish(w->rb, w->head);
}

/*
 * rb_begin_alone() - begins one record of at most `most` bytes in an NMI handler, in whose time no
 * other writer can come. `*at` becomes the position of the record, and `*to` where its words go.
 * False: rb_begin() has to be called, as the handler interrupted a writer, records were lost, the
 * record could reach the end of the data, or the room has to be checked. rb_end_alone() ends the
 * record and publishes it; `head` is its end. Without that call nothing has happened.
 */
static inline bool rb_begin_alone(const struct rb *rb, size_t most, uint64_t *at, uint64_t **to)
{
	const uint64_t head = local_load(&rb->head), offset = head & rb->mask;

	if (__builtin_expect(local_load(&rb->busy) | local_load(&rb->lost), 0) ||
	    __builtin_expect(head + most >= local_load(&rb->limit), 0) ||
	    __builtin_expect(offset + most > rb->mask, 0))
		return false;
	*at = head;
	*to = (uint64_t *)(rb->data + offset);
	return true;
}

static inline void rb_end_alone(struct rb *rb, uint64_t head)
{
	local_store(&rb->head, head);
	order_b_store_head(&rb->page->data_head, head);
}

/* rb_lose() - counts `records` that were not written. Any context. */
static inline void rb_lose(struct rb *rb, uint64_t records)
{
	local_add(&rb->lost, records);
	local_add(&rb->lost_total, records);
}

/*
 * rb_take_lost() - the number of records lost since the last call, for a LOST record. A caller that
 * cannot write one gives the number back by rb_return_lost(). Any context, on the ring's CPU.
 */
uint64_t rb_take_lost(struct rb *rb);

static inline void rb_return_lost(struct rb *rb, uint64_t records)
{
	local_add(&rb->lost, records);
}

/*
 * rb_read() - copies as many whole records as fit into `size` bytes at `out` and returns their
 * bytes; 0 when there are no more. The position advances by what was copied, so no record comes
 * twice. `size` must hold the largest record that is ever written. One reader at a time, any
 * context.
 *
 * A forward ring is read oldest first, and room is freed at once. A backward ring is read in
 * passes. A pass covers the records that the ring held when it began, newest first; room is freed
 * after the pass.
 *
 * An overwritable ring is paused meanwhile. If it is also backward, rb_read() gives the newest
 * whole records; the oldest record may be partly overwritten. If it is forward, nothing marks where
 * the oldest record begins: a reader that is more than a ring late continues at the head.
 *
 * rb_missed() - the bytes that were overwritten before they were read. They count whole records,
 * except one whose end was overwritten.
 */
size_t rb_read(struct rb *rb, void *out, size_t size);

static inline uint64_t rb_missed(const struct rb *rb)
{
	return rb->missed;
}

/* rb_used() - the number of unread bytes, at most the ring's size. Any context. */
uint64_t rb_used(const struct rb *rb);

#endif
