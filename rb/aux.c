// SPDX-License-Identifier: BSD-2-Clause
/* aux.c - see aux.h. */
#include "rb/aux.h"

#include "lib/panic.h"
#include "lib/string.h"
#include "rb/copy.h"

#include <linux/errno.h>

int rb_aux_init(struct rb_aux *aux, struct rb *rb, void *storage, size_t pages, uint64_t watermark,
		bool overwrite)
{
	const uint64_t bytes = (uint64_t)pages * RB_PAGE_SIZE;

	if (!pages || pages & (pages - 1) || (uintptr_t)storage % RB_PAGE_SIZE || watermark > bytes)
		return -EINVAL;
	*aux = (struct rb_aux){
		.page = rb->page,
		.data = storage,
		.mask = bytes - 1,
		.watermark = watermark ? watermark : bytes / 2,
		.overwrite = overwrite,
	};
	/* The offset is that of an area mapped right after the ring. */
	rb->page->aux_offset = RB_PAGE_SIZE + rb->mask + 1;
	rb->page->aux_size = bytes;
	rb->page->aux_head = rb->page->aux_tail = 0;
	rb->aux = aux;
	return 0;
}

static void look_for_room(struct rb_aux_output *o)
{
	const struct rb_aux *aux = o->aux;

	o->room = aux->mask + 1;
	o->room += aux->overwrite ? o->at : order_a_load_tail(&aux->page->aux_tail);
}

bool rb_aux_begin(struct rb_aux_output *o, struct rb_aux *aux)
{
	if (aux->busy)
		return false;
	aux->busy = true;
	*o = (struct rb_aux_output){.aux = aux, .start = aux->head, .at = aux->head};
	look_for_room(o);
	return true;
}

bool rb_aux_room(struct rb_aux_output *o, size_t bytes)
{
	if (o->room - o->at >= bytes)
		return true;
	look_for_room(o);
	return o->room - o->at >= bytes;
}

/* Copies in at most two parts: up to the area's end, and from its beginning. */
void rb_aux_put(struct rb_aux_output *o, const void *bytes, size_t n)
{
	const struct rb_aux *aux = o->aux;
	size_t offset = o->at & aux->mask, first = aux->mask + 1 - offset;

	ASSERT(n <= o->room - o->at);
	if (first > n)
		first = n;
	memcpy(aux->data + offset, bytes, first);
	memcpy(aux->data, (const uint8_t *)bytes + first, n - first);
	o->at += n;
}

static bool passes_watermark(struct rb_aux *aux)
{
	if (aux->head - aux->wakeup < aux->watermark)
		return false;
	aux->wakeup = aux->head;
	return true;
}

struct rb_aux_part rb_aux_end(struct rb_aux_output *o)
{
	struct rb_aux *aux = o->aux;
	struct rb_aux_part part = {.offset = o->start, .size = o->at - o->start};

	aux->head = o->at;
	order_b_store_head(&aux->page->aux_head, aux->head);
	aux->busy = false;
	part.wakeup = passes_watermark(aux);
	if (aux->overwrite) {
		part.offset = rb_aux_oldest(aux);
		part.size = aux->head - part.offset;
		part.flags = PERF_AUX_FLAG_OVERWRITE;
	}
	return part;
}

size_t rb_aux_read(struct rb_aux *aux, void *out, size_t size, uint64_t *offset)
{
	const uint64_t tail = aux->page->aux_tail;
	const uint64_t there = order_c_load_head(&aux->page->aux_head) - tail;
	const size_t n = there < size ? there : size;

	*offset = tail;
	rb_copy_out(out, aux->data, aux->mask, tail, n);
	order_d_store_tail(&aux->page->aux_tail, tail + n);
	return n;
}

uint64_t rb_aux_oldest(const struct rb_aux *aux)
{
	const uint64_t head = order_c_load_head(&aux->page->aux_head);

	return head > aux->mask + 1 ? head - (aux->mask + 1) : 0;
}

size_t rb_aux_peek(const struct rb_aux *aux, uint64_t from, void *out, size_t size)
{
	const uint64_t there = order_c_load_head(&aux->page->aux_head) - from;
	const size_t n = there < size ? there : size;

	ASSERT(there <= aux->mask + 1);
	rb_copy_out(out, aux->data, aux->mask, from, n);
	return n;
}
