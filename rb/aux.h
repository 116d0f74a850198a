/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aux.h - the AUX area of a perf ring, for data that is no records: 2^n pages of bytes, with
 * aux_offset, aux_size, aux_head and aux_tail in the ring's control page, as perf_event_open(2)
 * has them.
 *
 * One writer at a time, on the ring's CPU: rb_aux_begin(), puts, rb_aux_end(). Readers see what was
 * put once it is ended, and find in a PERF_RECORD_AUX which part of the area that was. head and
 * tail run freely; a byte is at its number modulo the size.
 *
 * Two modes. Forward: what was not read is never overwritten, and a writer without room says so by
 * PERF_AUX_FLAG_TRUNCATED. Overwrite: free running, the area holds the newest bytes, aux_tail
 * means nothing. As aux_head never wraps, one look at it tells whether the area did.
 *
 * Orderings: order.h, with aux_head and aux_tail for data_head and data_tail; A in rb_aux_begin()
 * and rb_aux_room(), B in rb_aux_end(), C and D in rb_aux_read().
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
	uint64_t mask;      /* bytes of data - 1 */
	uint64_t head;      /* bytes that were ended, ever; aux_head follows */
	uint64_t watermark; /* bytes: an output as long as this should be ended */
	uint64_t wakeup;    /* the reader was told of the bytes before */
	bool overwrite;
	bool busy; /* between rb_aux_begin() and rb_aux_end() */
};

/*
 * rb_aux_init() - an empty area for the ring `rb`: `pages`, a power of two, at `storage`, which is
 * page-aligned and lives as long as the ring. `watermark` in bytes, up to the size; 0: half of it.
 * -EINVAL for anything else. Task context.
 */
int rb_aux_init(struct rb_aux *aux, struct rb *rb, void *storage, size_t pages, uint64_t watermark,
		bool overwrite);

/* An output between rb_aux_begin() and rb_aux_end(). */
struct rb_aux_output {
	struct rb_aux *aux;
	uint64_t start, at; /* free-running: its first byte, and the next one */
	uint64_t room;      /* end of what may be written, as far as the reader was seen to be */
};

/* rb_aux_begin() - false: another output has not ended. Any context, on the ring's CPU. */
bool rb_aux_begin(struct rb_aux_output *o, struct rb_aux *aux);

/*
 * rb_aux_room() - is there room for `bytes`? Looks for the reader again when there seems not to be.
 * Always, in overwrite mode, for as many bytes as the area has.
 */
bool rb_aux_room(struct rb_aux_output *o, size_t bytes);

/* rb_aux_put() - the next `n` bytes, for which there is room. */
void rb_aux_put(struct rb_aux_output *o, const void *bytes, size_t n);

/* rb_aux_skip() - the next `n` bytes stay as they are: what writes them by other means has. */
static inline void rb_aux_skip(struct rb_aux_output *o, size_t n)
{
	o->at += n;
}

/* The part of the area that an output wrote, for PERF_RECORD_AUX. */
struct rb_aux_part {
	uint64_t offset, size; /* free-running, bytes */
	uint64_t flags;        /* PERF_AUX_FLAG_OVERWRITE, or 0 */
	bool wakeup;           /* the reader is to be told: a watermark was passed */
};

/*
 * rb_aux_end() - makes it visible, and says what it was: in overwrite mode all that the area holds
 * now.
 */
struct rb_aux_part rb_aux_end(struct rb_aux_output *o);

/* rb_aux_long() - it is as long as the watermark. */
static inline bool rb_aux_long(const struct rb_aux_output *o)
{
	return o->at - o->start >= o->aux->watermark;
}

/*
 * rb_aux_read() - forward mode: copies up to `size` bytes to `out`, oldest first, and gives their
 * room back. Returns how many; *offset is the free-running number of the first. One reader at a
 * time, any context.
 */
size_t rb_aux_read(struct rb_aux *aux, void *out, size_t size, uint64_t *offset);

/* rb_aux_used() - forward mode: bytes that wait for the reader. Any context. */
static inline uint64_t rb_aux_used(const struct rb_aux *aux)
{
	return order_c_load_head(&aux->page->aux_head) - aux->page->aux_tail;
}

/*
 * rb_aux_peek() - overwrite mode: copies the bytes from number `from` on, which the area has to
 * hold still, without a writer meanwhile. Returns how many, up to `size`.
 * rb_aux_oldest() - the number of the oldest byte that it holds.
 */
size_t rb_aux_peek(const struct rb_aux *aux, uint64_t from, void *out, size_t size);
uint64_t rb_aux_oldest(const struct rb_aux *aux);

#endif
