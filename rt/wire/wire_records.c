// SPDX-License-Identifier: BSD-2-Clause
/* wire_records.c - the records of rings, packed, and the traces of AUX areas: both CPU by CPU. */
#include "rt/wire/frames.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "lib/string.h"
#include "rb/aux.h"
#include "rb/rb.h"
#include "rt/wire/carrier.h"

#include <linux/errno.h>

static struct wire_records *all_records[WIRE_STREAM_LAST + 1]; /* NULL: none were prepared */
static uint64_t line_bytes;

static void send_records(void *ctx, enum wire_type type, const void *bytes, size_t length)
{
	struct wire_records *r = ctx;

	if (type == WIRE_KEY) {
		if (!r->is_fresh)
			line_bytes += wire_announce_again();
		r->is_fresh = false;
	}
	wire_send_from(type, r->stream, bytes, length);
	line_bytes += FRAME_OVERHEAD + length;
}

/* Valid for the running command, and kept for later ones. */
int wire_prepare(unsigned cpu)
{
	struct wire_records **at = &all_records[wire_stream(cpu)];

	if (*at)
		return 0;
	*at = page_alloc((sizeof(**at) + PAGE_SIZE - 1) / PAGE_SIZE);
	if (!*at)
		return -ENOMEM;
	(*at)->stream = wire_stream(cpu);
	(*at)->is_fresh = true;
	packer_init(&(*at)->packer, send_records, *at);
	return 0;
}

void wire_restart_records(void)
{
	line_bytes = 0;
	for (unsigned i = 0; i <= WIRE_STREAM_LAST; i++) {
		if (!all_records[i])
			continue;
		all_records[i]->is_fresh = true;
		packer_restart(&all_records[i]->packer);
	}
}

struct wire_records *wire_records_of(unsigned cpu)
{
	return all_records[wire_stream(cpu)];
}

const struct perf_event_header *wire_next_record(struct wire_records *r, struct rb *rb)
{
	if (r->at == r->staged_bytes) {
		r->at = 0;
		r->staged_bytes = rb_read(rb, r->staged, sizeof(r->staged));
	}
	if (!r->staged_bytes)
		return NULL;
	return (const void *)(r->staged + r->at);
}

void wire_pack_record(struct wire_records *r, const struct perf_event_header *record)
{
	packer_add(&r->packer, record);
	r->at += record->size;
	wire.books.sent += record->size;
}

void wire_drain(struct rb *rb, unsigned cpu)
{
	struct wire_records *r = wire_records_of(cpu);
	const struct perf_event_header *record;

	while ((record = wire_next_record(r, rb)))
		wire_pack_record(r, record);
	packer_flush(&r->packer);
}

uint64_t wire_sent(void)
{
	return wire.books.sent;
}

uint64_t wire_line_bytes(void)
{
	return line_bytes;
}

/* Copies one frame's worth of the area, from `*at` on, behind the header. Returns the bytes. */
static size_t take_aux_bytes(struct rb_aux *aux, uint64_t *at)
{
	void *to = wire_payload + sizeof(struct wire_aux);
	const size_t room = WIRE_MAX_PAYLOAD - sizeof(struct wire_aux);

	return aux->overwrite ? rb_aux_peek(aux, *at, to, room) : rb_aux_read(aux, to, room, at);
}

/* Sends one frame of a trace, taken at TSC `when`. Its `n` bytes, from number `at` on, already lie
 * behind the place of its header. */
static void send_aux(const struct wire_trace *trace, uint64_t at, size_t n, uint64_t when,
		     unsigned flags)
{
	const struct tsc_conversion time = tsc_conversion();
	const struct wire_aux head = {
		.command = wire.command,
		.flags = (uint16_t)(flags | (trace->aux->overwrite ? WIRE_AUX_SNAPSHOT : 0)),
		.time_shift = time.shift,
		.time_mult = time.mult,
		.tid = trace->tid,
		.time_zero = time.zero,
		.tsc = when,
		.id = trace->id,
		.offset = at,
		.produced = trace->aux->head,
	};

	wire_send_payload(WIRE_AUX, wire_stream(trace->cpu),
			  wire_append(0, &head, sizeof(head)) + n);
}

size_t wire_send_trace(const struct wire_trace *trace, uint64_t *at, bool last, unsigned flags)
{
	const size_t n = take_aux_bytes(trace->aux, at);

	if (n || last)
		send_aux(trace, *at, n, rdtsc() - line_waited(),
			 flags | (last && !n ? WIRE_AUX_LAST : 0));
	*at += n;
	return n;
}

/* The content of an overwritten area is one more snapshot. */
uint64_t wire_drain_trace(const struct wire_trace *trace)
{
	const uint64_t oldest = rb_aux_oldest(trace->aux);
	unsigned flags = trace->aux->overwrite ? WIRE_AUX_BEGIN : 0;
	uint64_t at = trace->from > oldest ? trace->from : oldest, sent = 0;
	size_t n;

	do {
		n = wire_send_trace(trace, &at, true, flags);
		flags = 0;
		sent += n;
	} while (n);
	return sent;
}

void wire_send_snapshot(const struct wire_trace *trace, const struct wire_snapshot *snapshot)
{
	const size_t room = WIRE_MAX_PAYLOAD - sizeof(struct wire_aux);
	unsigned flags = WIRE_AUX_BEGIN;

	for (uint64_t at = 0, n; at < snapshot->size; at += n) {
		n = snapshot->size - at < room ? snapshot->size - at : room;
		memcpy(wire_payload + sizeof(struct wire_aux),
		       (const uint8_t *)snapshot->bytes + at, n);
		send_aux(trace, snapshot->offset + at, n, snapshot->tsc, flags);
		flags = 0;
	}
}
