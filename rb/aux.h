/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aux.h - the AUX area of a perf ring, for data that is not records: 2^n pages of bytes.
 * aux_offset, aux_size, aux_head and aux_tail are in the ring's control page, as in
 * perf_event_open(2).
 *
 * There is one writer at a time, on the ring's CPU: rb_aux_begin(), puts, rb_aux_end(). Readers see
 * the bytes after rb_aux_end(). A PERF_RECORD_AUX tells them which part of the area it is. head and
 * tail run freely; byte N lies at N modulo the size.
 *
 * There are two modes. In forward mode unread bytes are never overwritten; a writer without room
 * reports it by PERF_AUX_FLAG_TRUNCATED. In overwrite mode the area holds the newest bytes and
 * aux_tail has no meaning. aux_head never wraps, so its value tells whether the area did.
 *
 * Orderings: order.h, with aux_head and aux_tail for data_head and data_tail. A is in
 * rb_aux_begin() and rb_aux_room(), B in rb_aux_end(), C and D in rb_aux_read().
 */
#ifndef RB_AUX_H
#define RB_AUX_H

#include "rb/rb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rb_aux {
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t mask;      /* size of `data` in bytes - 1 */
	uint64_t head;      /* bytes of all ended outputs; aux_head follows */
	uint64_t watermark; /* bytes: a longer output should be ended */
	uint64_t wakeup;    /* `head` at the last wake-up of the reader */
	bool overwrite;
	bool busy; /* between rb_aux_begin() and rb_aux_end() */
};

/*
 * rb_aux_init() - creates an empty area for the ring `rb`: `pages`, a power of two, at `storage`,
 * which is page-aligned and lives as long as the ring. `watermark` is in bytes, up to the size; 0:
 * half of it. -EINVAL for anything else. Task context.
 */
int rb_aux_init(struct rb_aux *aux, struct rb *rb, void *storage, size_t pages, uint64_t watermark,
		bool overwrite);

/* An output between rb_aux_begin() and rb_aux_end(). */
struct rb_aux_output {
	struct rb_aux *aux;
	uint64_t start, at; /* free-running numbers of its first byte and of the next one */
	uint64_t room;      /* end of the free space, by the last look at aux_tail */
};

/*
 * rb_aux_begin() - begins an output. False: another output has not ended. Any context, on the
 * ring's CPU.
 */
bool rb_aux_begin(struct rb_aux_output *o, struct rb_aux *aux);

/*
 * rb_aux_room() - true where `bytes` fit. Loads aux_tail again when they seem not to. In overwrite
 * mode, true for up to the size of the area.
 */
bool rb_aux_room(struct rb_aux_output *o, size_t bytes);

/* rb_aux_put() - writes the next `n` bytes, for which there must be room. */
void rb_aux_put(struct rb_aux_output *o, const void *bytes, size_t n);

/*
 * rb_aux_skip() - leaves the next `n` bytes as they are, for a writer that has filled them by other
 * means.
 */
static inline void rb_aux_skip(struct rb_aux_output *o, size_t n)
{
	o->at += n;
}

/* The part of the area that one output wrote, for PERF_RECORD_AUX. */
struct rb_aux_part {
	uint64_t offset, size; /* free-running number and length in bytes */
	uint64_t flags;        /* PERF_AUX_FLAG_OVERWRITE, or 0 */
	bool wakeup;           /* the watermark was passed: the reader must be woken */
};

/*
 * rb_aux_end() - publishes the output and returns its part of the area; in overwrite mode, all that
 * the area holds now.
 */
struct rb_aux_part rb_aux_end(struct rb_aux_output *o);

/* rb_aux_long() - true where the output has reached the watermark. */
static inline bool rb_aux_long(const struct rb_aux_output *o)
{
	return o->at - o->start >= o->aux->watermark;
}

/*
 * rb_aux_read() - forward mode: copies up to `size` bytes to `out`, oldest first, and frees their
 * room. Returns the number of bytes; *offset is the free-running number of the first. One reader at
 * a time, any context.
 */
size_t rb_aux_read(struct rb_aux *aux, void *out, size_t size, uint64_t *offset);

/* rb_aux_used() - forward mode: the number of unread bytes. Any context. */
static inline uint64_t rb_aux_used(const struct rb_aux *aux)
{
	return order_c_load_head(&aux->page->aux_head) - aux->page->aux_tail;
}

/*
 * rb_aux_peek() - overwrite mode: copies up to `size` bytes from number `from` on, which the area
 * must still hold; no writer may run. Returns the number of bytes.
 * rb_aux_oldest() - the number of the oldest byte that the area holds.
 */
size_t rb_aux_peek(const struct rb_aux *aux, uint64_t from, void *out, size_t size);
uint64_t rb_aux_oldest(const struct rb_aux *aux);

#endif
