// SPDX-License-Identifier: BSD-2-Clause
/* send.c - sends an artificial trace of any size: it shows the cost of large traces on their way to
 * the host, since real ones of that size take minutes to record. */
#include "arch/x86/mem/paging.h"
#include "lib/panic.h"
#include "lib/words/number.h"
#include "rb/aux.h"
#include "rt/console/command.h"
#include "rt/print/print.h"
#include "rt/wire/wire.h"

#define MOST_MIB 64
#define MIB      (1ull << 20)

/* Fills the area with bytes that do not compress. */
static void fill_area(uint64_t *words, size_t n)
{
	uint64_t state = 88172645463325252ull;

	for (size_t i = 0; i < n; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		words[i] = state;
	}
}

static void announce_sender(uint64_t id)
{
	const struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_IDENTIFIER,
		.sample_id_all = 1,
	};

	wire_event(&attr, "dummy", &(const struct wire_target){.id = id, .cpu = 0}, 1);
}

/* Writes the record for the part, with the id that all records of the event have. */
static void tell_of_part(struct rb *rb, const struct rb_aux_part *part, uint64_t id)
{
	const struct {
		struct perf_event_header header;
		uint64_t offset, size, flags, id;
	} record = {{PERF_RECORD_AUX, 0, sizeof(record)}, part->offset, part->size, 0, id};
	struct rb_writer w;

	if (!rb_begin(&w, rb, sizeof(record)))
		panic("send: a record has no room in an empty ring");
	rb_put_words(&w, (const uint64_t *)&record, sizeof(record) / sizeof(uint64_t));
	rb_end(&w);
}

static void send_area(struct rb *rb, struct rb_aux *aux, size_t bytes)
{
	const struct wire_trace trace = {.aux = aux, .id = 1};
	struct rb_aux_output o;
	struct rb_aux_part part;

	announce_sender(trace.id);
	rb_aux_begin(&o, aux);
	rb_aux_skip(&o, bytes);
	part = rb_aux_end(&o);
	tell_of_part(rb, &part, trace.id);
	wire_drain(rb, trace.cpu);
	out("send: %'llu bytes\n", (unsigned long long)wire_drain_trace(&trace));
}

static int send_mib(uint64_t mib)
{
	static struct rb rb;
	static struct rb_aux aux;
	const size_t pages = mib * MIB / PAGE_SIZE;
	uint64_t *area = page_alloc(pages);
	void *ring = page_alloc(2);
	const bool ok = area && ring && !wire_prepare(0) && !rb_init(&rb, ring, 1) &&
			!rb_aux_init(&aux, &rb, area, pages, 0, false);

	if (ok) {
		fill_area(area, mib * MIB / sizeof(*area));
		send_area(&rb, &aux, mib * MIB);
	} else {
		err("send: no memory for %llu MiB\n", (unsigned long long)mib);
	}
	if (area)
		page_free(area, pages);
	if (ring)
		page_free(ring, 2);
	return ok ? 0 : STATUS_FAILED;
}

static int run_send(int argc, char **argv)
{
	uint64_t mib;

	if (argc == 2 && !number_parse(argv[1], &mib) && mib && mib <= MOST_MIB &&
	    !(mib & (mib - 1)))
		return send_mib(mib);
	err("send: wants a number of MiB, a power of two up to %d\n", MOST_MIB);
	return STATUS_USAGE;
}

static const struct command send = {
	.name = "send",
	.usage = "MIB",
	.summary = "sends so many MiB of a trace that was made up, to see how long that takes",
	.operands = {.kind = OPERANDS_NUMBER, .least = 1, .most = MOST_MIB},
	.run = run_send,
};
COMMAND(send);
