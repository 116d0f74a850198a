// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire.c - one frame buffer, one sequence number per stream; the CPU that runs commands is the only
 * sender.
 */
#include "rt/wire.h"

#include "arch/x86/apic.h"
#include "arch/x86/cpuid.h"
#include "arch/x86/image.h"
#include "arch/x86/insn.h"
#include "arch/x86/paging.h"
#include "arch/x86/trap.h"
#include "arch/x86/tsc.h"
#include "arch/x86/uart.h"
#include "include/perf0/handoff.h"
#include "include/perf0/workload.h"
#include "lib/frame.h"
#include "lib/pack.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "lib/time.h"
#include "rb/aux.h"
#include "rb/rb.h"
#include "rt/hrtimer.h"
#include "rt/machine.h"
#include "rt/vectors.h"
#include "include/perf0/version.h"

#include <linux/errno.h>

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
 * What a listener must know to make sense of records. It is said again before each KEY frame but a
 * command's first, so that one who comes late, or lost it to noise, can join in there.
 */
static struct {
	size_t used, hello; /* bytes, and of these HELLO's, which no command takes away */
	bool is_fresh;      /* nothing of this command's records was sent yet */
	uint8_t bytes[AGAIN_ROOM];
} announced;

/* The records of each CPU that has a ring: of one, so far. */
struct records {
	struct packer packer;
	size_t at, staged_bytes; /* of `staged`: taken from the ring, and not yet packed */
	uint8_t staged[PACK_RECORD_MAX] __attribute__((aligned(8)));
};
static struct records *records;
static uint64_t line_bytes;

static struct {
	struct rb *volatile rb; /* NULL: not now */
	volatile bool waits;    /* there are records, but the queue has no room */
	volatile bool held;     /* the timer tries again */
	struct hrtimer timer;
	void *queue;
	const struct wire_trace *trace; /* NULL: there is none */
} live;

static void send_from(enum wire_type type, uint8_t stream, const void *bytes, size_t length)
{
	size_t n;

	if (!wire.enabled)
		return;
	n = frame_encode(wire.frame, type, stream, wire.seq[stream]++, bytes, length);
	uart_write(wire.frame, n);
}

static void send(enum wire_type type, uint8_t stream, size_t length)
{
	send_from(type, stream, payload, length);
}

/* Announcements for which there is no room are said once only. */
static void announce(enum wire_type type, size_t length)
{
	const struct announcement head = {(uint16_t)type, (uint16_t)length};

	send(type, WIRE_STREAM_MAIN, length);
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
static size_t append(size_t length, const void *bytes, size_t n)
{
	size_t room = WIRE_MAX_PAYLOAD - length;

	n = n < room ? n : room;
	memcpy(payload + length, bytes, n);
	return length + n;
}

/* A string too long for the frame is cut, but always terminated. */
static size_t append_string(size_t length, const char *s)
{
	length = append(length, s, strlen(s) + 1);
	payload[length - 1] = '\0';
	return length;
}

static void send_records(void *ctx, enum wire_type type, const void *bytes, size_t length)
{
	(void)ctx;
	if (type == WIRE_KEY) {
		if (!announced.is_fresh)
			announce_again();
		announced.is_fresh = false;
	}
	send_from(type, 0, bytes, length);
	line_bytes += FRAME_OVERHEAD + length;
}

void wire_init(const struct handoff *handoff)
{
	wire.handoff = handoff;
	records = page_alloc((sizeof(*records) + PAGE_SIZE - 1) / PAGE_SIZE);
	if (!records)
		panic("no memory to send records from");
	packer_init(&records->packer, send_records, NULL);
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

void wire_hello(void)
{
	const struct pmu_caps *caps = machine_caps();
	struct wire_hello hello = {
		.version = WIRE_VERSION,
		.ncpus = 1,
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
	n = append(0, &hello, sizeof(hello));
	n = append_string(n, PERF0_VERSION);
	n = append_string(n, caps->vendor_id);
	n = append_string(n, caps->brand);
	n = append_string(n, wire.handoff->args);
	announce(WIRE_HELLO, n);
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
		send(WIRE_TEXT, WIRE_STREAM_MAIN,
		     append(append(0, &head, sizeof(head)), text, part));
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
	announced.is_fresh = true;
	line_bytes = 0;
	packer_restart(&records->packer);
	announce(WIRE_BEGIN, append_string(append(0, &begin, sizeof(begin)), command_line));
}

void wire_event(const struct perf_event_attr *attr, const char *name, const uint64_t *ids,
		unsigned nids)
{
	const struct wire_event event = {
		.command = wire.command,
		.attr_size = (uint16_t)sizeof(*attr),
		.nids = (uint16_t)nids,
	};
	size_t n = append(0, &event, sizeof(event));

	n = append(n, attr, sizeof(*attr));
	n = append(n, ids, nids * sizeof(*ids));
	announce(WIRE_EVENT, append_string(n, name));
}

void wire_format(uint32_t id, const char *system, const char *name, const char *format)
{
	const struct wire_format head = {.command = wire.command, .id = id};
	size_t n = append(0, &head, sizeof(head));

	n = append_string(n, system);
	n = append_string(n, name);
	announce(WIRE_FORMAT, append_string(n, format));
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

	send(WIRE_COUNT, WIRE_STREAM_MAIN, append_string(append(0, &count, sizeof(count)), name));
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
static const struct perf_event_header *next_record(struct rb *rb)
{
	if (records->at == records->staged_bytes) {
		records->at = 0;
		records->staged_bytes = rb_read(rb, records->staged, sizeof(records->staged));
	}
	if (!records->staged_bytes)
		return NULL;
	return (const void *)(records->staged + records->at);
}

static void pack_one(const struct perf_event_header *record)
{
	packer_add(&records->packer, record);
	records->at += record->size;
	wire.books.sent += record->size;
}

void wire_drain(struct rb *rb, unsigned cpu)
{
	const struct perf_event_header *record;

	(void)cpu;
	while ((record = next_record(rb)))
		pack_one(record);
	packer_flush(&records->packer);
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

/* The next frame of a trace; at its end none, or the last one. Returns its bytes of trace. */
static size_t send_trace(const struct wire_trace *trace, uint64_t *at, bool last)
{
	const struct tsc_conversion time = tsc_conversion();
	const size_t n = take_aux(trace->aux, at);
	const struct wire_aux head = {
		.command = wire.command,
		.flags = (uint16_t)((trace->aux->overwrite ? WIRE_AUX_SNAPSHOT : 0) |
				    (last && !n ? WIRE_AUX_LAST : 0)),
		.time_shift = time.shift,
		.time_mult = time.mult,
		.tid = trace->tid,
		.time_zero = time.zero,
		.tsc = rdtsc(),
		.id = trace->id,
		.offset = *at,
		.produced = trace->aux->head,
	};

	if (n || last)
		send(WIRE_AUX, (uint8_t)trace->cpu, append(0, &head, sizeof(head)) + n);
	*at += n;
	return n;
}

uint64_t wire_drain_trace(const struct wire_trace *trace)
{
	uint64_t at = rb_aux_oldest(trace->aux), sent = 0;
	size_t n;

	do {
		n = send_trace(trace, &at, true);
		sent += n;
	} while (n);
	return sent;
}

/* Live: interrupts of ring 0 drain the ring, a little each, and never wait for the line. */

/* The most that the queue must take for one more record: all that it may cause to be sent. */
static size_t room_wanted(const struct perf_event_header *record)
{
	return 2 * FRAME_MAX_SIZE + 3 * announced.used + 2 * pack_bound(record->size);
}

/* What is overwritten is for the end. */
static bool trace_waits(void)
{
	return live.trace && !live.trace->aux->overwrite && rb_aux_used(live.trace->aux);
}

static void drain_some_trace(size_t done)
{
	uint64_t at;

	while (trace_waits()) {
		if (uart_queue_room() < 2 * FRAME_MAX_SIZE) {
			live.waits = true;
			return;
		}
		if (done >= LIVE_PIECE) {
			apic_send_self(VECTOR_DRAIN);
			return;
		}
		done += send_trace(live.trace, &at, false);
	}
}

/*
 * Who samples ring 0 samples this, too. Where a piece makes as many records as it takes, one right
 * behind the other would never end: the next one waits until ring 3 had its time.
 */
static void drain_more(uint64_t used_before)
{
	if (rb_used(live.rb) < used_before)
		apic_send_self(VECTOR_DRAIN);
	else
		hrtimer_start_irqs_off(&live.timer, LIVE_NS);
}

static void drain_some(void)
{
	const uint64_t used_before = rb_used(live.rb);
	const struct perf_event_header *record;
	size_t done = 0;

	while ((record = next_record(live.rb))) {
		if (uart_queue_room() < room_wanted(record)) {
			live.waits = true;
			return;
		}
		if (done >= LIVE_PIECE) {
			drain_more(used_before);
			return;
		}
		done += record->size;
		pack_one(record);
	}
	packer_flush(&records->packer);
	drain_some_trace(done);
}

static void on_drain(struct trap_frame *frame)
{
	(void)frame;
	apic_eoi();
	if (live.rb && !live.waits && !live.held)
		drain_some();
}

/* What no wakeup tells of is not left for ever. */
static void on_timer(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)frame;
	hrtimer_start_irqs_off(timer, LIVE_NS);
	apic_send_self(VECTOR_DRAIN);
}

int wire_live_begin(struct rb *rb, const struct wire_trace *trace)
{
	if (!live.queue)
		live.queue = page_alloc(LIVE_QUEUE_PAGES);
	if (!live.queue)
		return -ENOMEM;
	trap_set_irq(VECTOR_DRAIN, on_drain);
	uart_set_queue(live.queue, LIVE_QUEUE_PAGES * PAGE_SIZE);
	live.waits = false;
	live.timer.fn = on_timer;
	live.trace = trace;
	live.rb = rb;
	hrtimer_start(&live.timer, LIVE_NS);
	return 0;
}

void wire_live_end(void)
{
	if (!live.rb)
		return;
	live.rb = NULL;
	hrtimer_cancel(&live.timer);
	uart_set_queue(NULL, 0);
}

void wire_wakeup(struct rb *rb)
{
	if (rb == live.rb)
		apic_send_self(VECTOR_DRAIN);
}

void wire_line_served(void)
{
	if (!live.rb || !live.waits || uart_queue_room() < LIVE_QUEUE_PAGES * PAGE_SIZE / 2)
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
		send(WIRE_RESULT, WIRE_STREAM_MAIN, append(0, &result, sizeof(result)));
}

void wire_bye(int status)
{
	const struct wire_bye bye = {
		.status = status,
		.commands = wire.command,
		.books = wire.total,
	};

	wire_hello();
	send(WIRE_BYE, WIRE_STREAM_MAIN, append(0, &bye, sizeof(bye)));
}
