// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire.c - one frame buffer, one sequence number per stream; the CPU that runs commands is the only
 * sender.
 */
#include "rt/wire.h"

#include "arch/x86/cpuid.h"
#include "arch/x86/image.h"
#include "arch/x86/tsc.h"
#include "arch/x86/uart.h"
#include "include/perf0/handoff.h"
#include "include/perf0/workload.h"
#include "lib/frame.h"
#include "lib/pack.h"
#include "lib/string.h"
#include "rb/rb.h"
#include "rt/machine.h"
#include "include/perf0/version.h"

#define TEXT_MAX   2000  /* bytes of text in one frame */
#define AGAIN_ROOM 32768 /* bytes of announcements that are said again */

static struct {
	bool enabled;
	bool said_hello;
	const struct handoff *handoff;
	uint32_t seq[WIRE_STREAM_MAIN + 1];
	uint32_t command;
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

/* The records of each CPU that has a ring. One, so far. */
static struct packer packer;
static uint8_t staged[PACK_RECORD_MAX] __attribute__((aligned(8)));
static uint64_t line_bytes;

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
	send_from(type, 0, bytes, length);
	line_bytes += FRAME_OVERHEAD + length;
}

void wire_init(const struct handoff *handoff)
{
	wire.handoff = handoff;
	packer_init(&packer, send_records, NULL);
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

void wire_text(enum wire_text_kind kind, const char *text, size_t n)
{
	const struct wire_text head = {.kind = (uint8_t)kind};

	while (n) {
		size_t part = n < TEXT_MAX ? n : TEXT_MAX;

		send(WIRE_TEXT, WIRE_STREAM_MAIN,
		     append(append(0, &head, sizeof(head)), text, part));
		text += part;
		n -= part;
	}
}

void wire_begin(const char *command_line)
{
	const struct wire_begin begin = {.command = wire.command};

	wire_hello();
	wire.books = (struct wire_books){0};
	announced.used = announced.hello;
	announced.is_fresh = true;
	line_bytes = 0;
	packer_restart(&packer);
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
}

void wire_books(const struct wire_books *books)
{
	add_books(&wire.books, books);
}

static void pack_one(const struct perf_event_header *record)
{
	if (packer_wants_key(&packer) && !announced.is_fresh)
		announce_again();
	announced.is_fresh = false;
	packer_add(&packer, record);
}

uint64_t wire_drain(struct rb *rb, unsigned cpu)
{
	uint64_t sent = 0;
	size_t n;

	(void)cpu;
	while ((n = rb_read(rb, staged, sizeof(staged)))) {
		for (size_t at = 0; at < n;) {
			const struct perf_event_header *record = (const void *)(staged + at);

			pack_one(record);
			at += record->size;
		}
		sent += n;
	}
	packer_flush(&packer);
	wire.books.sent += sent;
	return sent;
}

uint64_t wire_line_bytes(void)
{
	return line_bytes;
}

void wire_result(int status)
{
	const struct wire_result result = {
		.command = wire.command++,
		.status = status,
		.books = wire.books,
	};

	add_books(&wire.total, &wire.books);
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
