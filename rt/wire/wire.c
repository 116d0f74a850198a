// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire.c - one frame buffer, one sequence number per stream; the CPU that runs commands is the only
 * sender.
 */
#include "rt/wire/wire.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/portable/cpuid.h"
#include "arch/x86/cpu/image.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/portable/uart.h"
#include "include/perf0/handoff.h"
#include "include/perf0/workload.h"
#include "lib/frame.h"
#include "lib/pack.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "lib/time.h"
#include "rb/aux.h"
#include "rb/rb.h"
#include "rt/clock/hrtimer.h"
#include "rt/machine.h"
#include "rt/vectors.h"
#include "include/perf0/version.h"

#include <linux/errno.h>

_Static_assert(SMP_MAX_CPUS * sizeof(struct wire_cpu) <= WIRE_MAX_PAYLOAD, "all fit in a frame");

#define TEXT_MAX   2000  /* bytes of text in one frame */
#define AGAIN_ROOM 32768 /* bytes of announcements that are said again */

#define LIVE_QUEUE_PAGES 64
#define LIVE_PIECE       8192 /* bytes of records that one interrupt takes */
#define LIVE_NS          (50 * NSEC_PER_MS)
_Static_assert(2 * FRAME_MAX_SIZE + 3 * AGAIN_ROOM + 2 * (PACK_RECORD_MAX + PACK_RECORD_MAX / 16) <
		       LIVE_QUEUE_PAGES * PAGE_SIZE,
	       "what one record may cause to be sent finds room in an empty queue");

static struct {
	bool enabled;
	bool said_hello;
	const struct handoff *handoff;
	uint32_t seq[WIRE_STREAM_MAIN + 1];
	uint32_t command;
	bool began; /* BEGIN was sent, and RESULT is to follow */
	struct wire_books books, total;
	uint8_t frame[FRAME_MAX_SIZE] __attribute__((aligned(8)));
} wire;

/* The payload is built where it will stand in the frame. */
static uint8_t *const payload = wire.frame + sizeof(struct wire_header);

struct announcement {
	uint16_t type, length;
};

/*
 * What a listener must know to make sense of records. It is said again before each KEY frame but
 * the first of each CPU in a command, so that a host tool that comes late, or lost it to noise, can
 * join in there.
 */
static struct {
	size_t used, hello; /* bytes, and of these HELLO's, which no command takes away */
	uint8_t bytes[AGAIN_ROOM];
} announced;

/* What is sent of one CPU's ring. */
struct records {
	struct packer packer;
	uint8_t stream;
	bool is_fresh;           /* nothing of this command's was sent yet */
	size_t at, staged_bytes; /* of `staged`: taken from the ring, and not yet packed */
	uint8_t staged[PACK_RECORD_MAX] __attribute__((aligned(8)));
};
static struct records *all_records[WIRE_STREAM_LAST + 1]; /* NULL: none were prepared */
static uint64_t line_bytes;

static struct {
	struct wire_ring *volatile rings; /* all of them; NULL: not now */
	struct wire_ring *at;             /* the ring that is next */
	struct rb *own;      /* that of this CPU, which a drain may write to; NULL: none is */
	unsigned cpu;        /* that drains */
	volatile bool waits; /* there are records, but the queue has no room */
	volatile bool held;  /* the timer tries again */
	struct hrtimer timer;
	void *queue;
} live;

static void send_from(enum wire_type type, uint8_t stream, const void *bytes, size_t length)
{
	size_t n;

	if (!wire.enabled)
		return;
	n = frame_encode(wire.frame, type, stream, wire.seq[stream]++, bytes, length);
	uart_write(wire.frame, n);
}

static void send_payload(enum wire_type type, uint8_t stream, size_t length)
{
	send_from(type, stream, payload, length);
}

/* Announcements for which there is no room are said once only. */
static void announce_frame(enum wire_type type, size_t length)
{
	const struct announcement head = {(uint16_t)type, (uint16_t)length};

	send_payload(type, WIRE_STREAM_MAIN, length);
	if (announced.used + sizeof(head) + length > sizeof(announced.bytes))
		return;
	memcpy(announced.bytes + announced.used, &head, sizeof(head));
	memcpy(announced.bytes + announced.used + sizeof(head), payload, length);
	announced.used += sizeof(head) + length;
}

static void announce_again(void)
{
	struct announcement head;

	for (size_t at = 0; at < announced.used; at += sizeof(head) + head.length) {
		memcpy(&head, announced.bytes + at, sizeof(head));
		send_from((enum wire_type)head.type, WIRE_STREAM_MAIN,
			  announced.bytes + at + sizeof(head), head.length);
		line_bytes += FRAME_OVERHEAD + head.length;
	}
}

/* Appends `n` bytes, as far as there is room; returns the new length. */
static size_t append_payload(size_t length, const void *bytes, size_t n)
{
	size_t room = WIRE_MAX_PAYLOAD - length;

	n = n < room ? n : room;
	memcpy(payload + length, bytes, n);
	return length + n;
}

/* A string too long for the frame ends in " ...", and is always terminated. */
static size_t append_string(size_t length, const char *s)
{
	static const char more[] = " ...";
	const size_t n = strlen(s) + 1;
	const bool fits = n <= WIRE_MAX_PAYLOAD - length;

	length = append_payload(length, s, n);
	if (!fits)
		memcpy(payload + length - sizeof(more), more, sizeof(more));
	return length;
}

static void send_records(void *ctx, enum wire_type type, const void *bytes, size_t length)
{
	struct records *r = ctx;

	if (type == WIRE_KEY) {
		if (!r->is_fresh)
			announce_again();
		r->is_fresh = false;
	}
	send_from(type, r->stream, bytes, length);
	line_bytes += FRAME_OVERHEAD + length;
}

void wire_init(const struct handoff *handoff)
{
	wire.handoff = handoff;
}

/* Right for the command that runs, and kept for those after it. */
int wire_prepare(unsigned cpu)
{
	struct records **at = &all_records[wire_stream(cpu)];

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

static void restart_records(void)
{
	for (unsigned i = 0; i <= WIRE_STREAM_LAST; i++) {
		if (!all_records[i])
			continue;
		all_records[i]->is_fresh = true;
		packer_restart(&all_records[i]->packer);
	}
}

void wire_enable(bool on)
{
	wire.enabled = on;
}

bool wire_enabled(void)
{
	return wire.enabled;
}

static uint32_t memory_mib(const struct handoff *handoff)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < handoff->nmem; i++)
		if (handoff->mem[i].type == HANDOFF_MEM_FREE ||
		    handoff->mem[i].type == HANDOFF_MEM_IMAGE)
			pages += handoff->mem[i].pages;
	return (uint32_t)(pages >> 8);
}

static void announce_cpus(unsigned n)
{
	size_t length = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct smp_cpu *at = smp_online(i);
		const struct wire_cpu cpu = {
			.apic_id = at->apic_id,
			.package = (uint16_t)at->place.package,
			.core = (uint16_t)at->place.core,
			.thread = (uint16_t)at->place.thread,
			.core_type = at->core_type,
		};

		length = append_payload(length, &cpu, sizeof(cpu));
	}
	announce_frame(WIRE_CPUS, length);
}

void wire_hello(void)
{
	const struct pmu_caps *caps = machine_caps();
	struct wire_hello hello = {
		.version = WIRE_VERSION,
		.ncpus = (uint16_t)smp_ncpus(),
		.tsc_khz = (uint32_t)tsc_khz(),
		.clock_ns = clock_ns(),
		.image_base = wire.handoff->image_base,
		.user_base = WORKLOAD_BASE,
		.cpu_signature = caps->signature,
		.memory_mib = memory_mib(wire.handoff),
	};
	const uint8_t *id;
	size_t id_size, n;

	if (wire.said_hello)
		return;
	wire.said_hello = true;
	id_size = image_build_id(&id);
	hello.build_id_size = (uint32_t)(id_size <= sizeof(hello.build_id) ? id_size : 0);
	memcpy(hello.build_id, id, hello.build_id_size);
	n = append_payload(0, &hello, sizeof(hello));
	n = append_string(n, PERF0_VERSION);
	n = append_string(n, caps->vendor_id);
	n = append_string(n, caps->brand);
	n = append_string(n, wire.handoff->args);
	announce_frame(WIRE_HELLO, n);
	if (hello.ncpus > 1)
		announce_cpus(hello.ncpus);
	announced.hello = announced.used;
}

void wire_hello_again(void)
{
	struct announcement head;

	if (!wire.said_hello)
		return;
	memcpy(&head, announced.bytes, sizeof(head));
	send_from(WIRE_HELLO, WIRE_STREAM_MAIN, announced.bytes + sizeof(head), head.length);
}

/* There may be something to say while a ring is drained live: no interrupt may build a frame where
 * this one is being built. */
static void hold_drain(bool hold)
{
	local_barrier();
	live.held = hold;
	local_barrier();
}

void wire_text(enum wire_text_kind kind, const char *text, size_t n)
{
	const struct wire_text head = {.kind = (uint8_t)kind};

	while (n) {
		size_t part = n < TEXT_MAX ? n : TEXT_MAX;

		hold_drain(true);
		send_payload(WIRE_TEXT, WIRE_STREAM_MAIN,
			     append_payload(append_payload(0, &head, sizeof(head)), text, part));
		hold_drain(false);
		text += part;
		n -= part;
	}
}

void wire_begin(const char *command_line)
{
	const struct wire_begin begin = {.command = wire.command};

	wire_hello();
	wire.books = (struct wire_books){0};
	wire.began = wire.enabled;
	announced.used = announced.hello;
	line_bytes = 0;
	restart_records();
	announce_frame(WIRE_BEGIN,
		       append_string(append_payload(0, &begin, sizeof(begin)), command_line));
}

void wire_event(const struct perf_event_attr *attr, const char *name,
		const struct wire_target *targets, unsigned n)
{
	const struct wire_event event = {
		.command = wire.command,
		.attr_size = (uint16_t)sizeof(*attr),
		.nids = (uint16_t)n,
	};
	size_t length = append_payload(0, &event, sizeof(event));

	length = append_payload(length, attr, sizeof(*attr));
	for (unsigned i = 0; i < n; i++)
		length = append_payload(length, &targets[i].id, sizeof(targets[i].id));
	length = append_string(length, name);
	for (unsigned i = 0; i < n; i++) {
		const uint16_t cpu = targets[i].cpu < 0 ? WIRE_ANY_CPU : (uint16_t)targets[i].cpu;

		length = append_payload(length, &cpu, sizeof(cpu));
	}
	announce_frame(WIRE_EVENT, length);
}

void wire_format(uint32_t id, const char *system, const char *name, const char *format)
{
	const struct wire_format head = {.command = wire.command, .id = id};
	size_t n = append_payload(0, &head, sizeof(head));

	n = append_string(n, system);
	n = append_string(n, name);
	announce_frame(WIRE_FORMAT, append_string(n, format));
}

void wire_count(const char *name, unsigned cpu, int error, uint64_t value, uint64_t enabled,
		uint64_t running)
{
	const struct wire_count count = {
		.command = wire.command,
		.cpu = cpu,
		.error = error,
		.value = value,
		.time_enabled = enabled,
		.time_running = running,
	};

	send_payload(WIRE_COUNT, WIRE_STREAM_MAIN,
		     append_string(append_payload(0, &count, sizeof(count)), name));
}

static void add_books(struct wire_books *sum, const struct wire_books *b)
{
	sum->overflows += b->overflows;
	sum->written += b->written;
	sum->lost += b->lost;
	sum->refused += b->refused;
	sum->sent += b->sent;
	sum->overwritten += b->overwritten;
}

void wire_books(const struct wire_books *books)
{
	add_books(&wire.books, books);
}

/* The next record of the ring, in the order of the ring; NULL: there is none. */
static const struct perf_event_header *next_record(struct records *r, struct rb *rb)
{
	if (r->at == r->staged_bytes) {
		r->at = 0;
		r->staged_bytes = rb_read(rb, r->staged, sizeof(r->staged));
	}
	if (!r->staged_bytes)
		return NULL;
	return (const void *)(r->staged + r->at);
}

static void pack_one(struct records *r, const struct perf_event_header *record)
{
	packer_add(&r->packer, record);
	r->at += record->size;
	wire.books.sent += record->size;
}

void wire_drain(struct rb *rb, unsigned cpu)
{
	struct records *r = all_records[wire_stream(cpu)];
	const struct perf_event_header *record;

	while ((record = next_record(r, rb)))
		pack_one(r, record);
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

/* One frame's worth of the area from `*at` on, behind the head. Returns the bytes. */
static size_t take_aux(struct rb_aux *aux, uint64_t *at)
{
	void *to = payload + sizeof(struct wire_aux);
	const size_t room = WIRE_MAX_PAYLOAD - sizeof(struct wire_aux);

	return aux->overwrite ? rb_aux_peek(aux, *at, to, room) : rb_aux_read(aux, to, room, at);
}

/* One frame of a trace as of TSC `when`: its `n` bytes from number `at` on are behind the head's
 * place. */
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

	send_payload(WIRE_AUX, wire_stream(trace->cpu), append_payload(0, &head, sizeof(head)) + n);
}

/* The next frame of a trace; at its end none, or the last one. Returns its bytes of trace. */
static size_t send_trace(const struct wire_trace *trace, uint64_t *at, bool last, unsigned flags)
{
	const size_t n = take_aux(trace->aux, at);

	if (n || last)
		send_aux(trace, *at, n, rdtsc(), flags | (last && !n ? WIRE_AUX_LAST : 0));
	*at += n;
	return n;
}

/* Whatever an overwritten area holds is one more snapshot. */
uint64_t wire_drain_trace(const struct wire_trace *trace)
{
	const uint64_t oldest = rb_aux_oldest(trace->aux);
	unsigned flags = trace->aux->overwrite ? WIRE_AUX_BEGIN : 0;
	uint64_t at = trace->from > oldest ? trace->from : oldest, sent = 0;
	size_t n;

	do {
		n = send_trace(trace, &at, true, flags);
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
		memcpy(payload + sizeof(struct wire_aux), (const uint8_t *)snapshot->bytes + at, n);
		send_aux(trace, snapshot->offset + at, n, snapshot->tsc, flags);
		flags = 0;
	}
}

/* Live: interrupts of ring 0 drain the ring, a little each, and never wait for the line. */

/* The most that the queue must take for one more record: all that it may cause to be sent. */
static size_t room_wanted(const struct perf_event_header *record)
{
	return 2 * FRAME_MAX_SIZE + 3 * announced.used + 2 * pack_bound(record->size);
}

/* Areas that are overwritten are sent at the end. */
static bool trace_waits(const struct wire_trace *trace)
{
	return trace && !trace->aux->overwrite && rb_aux_used(trace->aux);
}

/* How a part of the draining ended: what is left is for later, unless it is all. */
enum drained { DRAINED_ALL, DRAINED_RECORDS, DRAINED_TRACE, DRAINED_NO_ROOM };

static enum drained drain_some_trace(const struct wire_trace *trace, size_t *done)
{
	uint64_t at;

	while (trace_waits(trace)) {
		if (uart_queue_room() < 2 * FRAME_MAX_SIZE)
			return DRAINED_NO_ROOM;
		if (*done >= LIVE_PIECE)
			return DRAINED_TRACE;
		*done += send_trace(trace, &at, false, 0);
	}
	return DRAINED_ALL;
}

static enum drained drain_some_records(const struct wire_ring *ring, size_t *done)
{
	struct records *r = all_records[wire_stream(ring->cpu)];
	const struct perf_event_header *record;

	while ((record = next_record(r, ring->rb))) {
		if (uart_queue_room() < room_wanted(record))
			return DRAINED_NO_ROOM;
		if (*done >= LIVE_PIECE)
			return DRAINED_RECORDS;
		*done += record->size;
		pack_one(r, record);
	}
	packer_flush(&r->packer);
	return DRAINED_ALL;
}

/*
 * Events that sample ring 0 sample draining, too. Where a piece of it makes as many records as it
 * takes out, one right behind the other would never end: the next one waits until ring 3 had its
 * time.
 */
static void drain_more(enum drained drained, uint64_t used_before)
{
	const bool gets_on = !live.own || rb_used(live.own) < used_before;

	if (drained == DRAINED_NO_ROOM)
		live.waits = true;
	else if (drained == DRAINED_TRACE || gets_on)
		apic_send_self(VECTOR_DRAIN);
	else
		hrtimer_start_irqs_off(&live.timer, LIVE_NS);
}

/* Ring after ring, from where the last piece ended: each has its turn, however much comes. */
static void drain_some(void)
{
	const uint64_t used_before = live.own ? rb_used(live.own) : 0;
	struct wire_ring *const first = live.at;
	enum drained drained;
	size_t done = 0;

	do {
		drained = drain_some_records(live.at, &done);
		if (drained == DRAINED_ALL)
			drained = drain_some_trace(live.at->trace, &done);
		if (drained != DRAINED_ALL) {
			drain_more(drained, used_before);
			return;
		}
		live.at = live.at->next ? live.at->next : live.rings;
	} while (live.at != first);
}

static void on_drain(struct trap_frame *frame)
{
	(void)frame;
	apic_eoi();
	if (live.rings && !live.waits && !live.held)
		drain_some();
}

/* Records that no wake-up announces are drained as well, some times a second. */
static void on_drain_timer(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)frame;
	hrtimer_start_irqs_off(timer, LIVE_NS);
	apic_send_self(VECTOR_DRAIN);
}

/* The ring that this CPU writes: its own, or one that goes with its task. */
static struct rb *own_ring(const struct wire_ring *rings)
{
	for (const struct wire_ring *ring = rings; ring; ring = ring->next)
		if (ring->cpu == live.cpu)
			return ring->rb;
	return NULL;
}

int wire_live_begin(struct wire_ring *rings)
{
	if (!live.queue)
		live.queue = page_alloc(LIVE_QUEUE_PAGES);
	if (!live.queue)
		return -ENOMEM;
	trap_set_irq(VECTOR_DRAIN, on_drain);
	uart_set_queue(live.queue, LIVE_QUEUE_PAGES * PAGE_SIZE);
	live.waits = false;
	live.timer.fn = on_drain_timer;
	live.cpu = smp_cpu();
	live.own = own_ring(rings);
	live.at = rings;
	live.rings = rings;
	hrtimer_start(&live.timer, LIVE_NS);
	return 0;
}

void wire_live_end(void)
{
	if (!live.rings)
		return;
	live.rings = NULL;
	hrtimer_cancel(&live.timer);
	uart_set_queue(NULL, 0);
}

/* Rings of other CPUs are looked at when the timer goes off: no NMI sends an IPI. */
void wire_wakeup(struct rb *rb)
{
	(void)rb;
	if (live.rings && smp_cpu() == live.cpu)
		apic_send_self(VECTOR_DRAIN);
}

void wire_line_served(void)
{
	if (!live.rings || !live.waits || uart_queue_room() < LIVE_QUEUE_PAGES * PAGE_SIZE / 2)
		return;
	live.waits = false;
	apic_send_self(VECTOR_DRAIN);
}

void wire_result(int status)
{
	const struct wire_result result = {
		.command = wire.command++,
		.status = status,
		.books = wire.books,
	};

	add_books(&wire.total, &wire.books);
	if (wire.began)
		send_payload(WIRE_RESULT, WIRE_STREAM_MAIN,
			     append_payload(0, &result, sizeof(result)));
}

void wire_prompt(int status)
{
	const struct wire_prompt prompt = {.status = status, .commands = wire.command};

	wire_hello();
	send_payload(WIRE_PROMPT, WIRE_STREAM_MAIN, append_payload(0, &prompt, sizeof(prompt)));
}

void wire_taken(const struct wire_taken *answer)
{
	size_t n;

	if (!wire.enabled)
		return;
	n = frame_encode(wire.frame, WIRE_TAKEN, WIRE_STREAM_MAIN, 0, answer, sizeof(*answer));
	uart_write(wire.frame, n);
}

void wire_await(void)
{
	send_payload(WIRE_AWAIT, WIRE_STREAM_MAIN, 0);
}

void wire_bye(int status)
{
	const struct wire_bye bye = {
		.status = status,
		.commands = wire.command,
		.books = wire.total,
	};

	wire_hello();
	send_payload(WIRE_BYE, WIRE_STREAM_MAIN, append_payload(0, &bye, sizeof(bye)));
}
