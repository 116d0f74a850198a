// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire.c - frames about the image, its commands, their events and results. Some are repeated for
 * listeners that start late.
 */
#include "rt/wire/frames.h"

#include "arch/x86/mem/image.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/dev/nodes.h"
#include "arch/x86/portable/cpuid.h"
#include "arch/x86/smp/smp.h"
#include "include/perf0/handoff.h"
#include "include/perf0/version.h"
#include "include/perf0/layout.h"
#include "lib/math.h"
#include "lib/string.h"
#include "rt/base/machine.h"
#include "rt/wire/kept.h"
#include "rt/wire/carrier.h"

#define TEXT_MAX   2000 /* bytes of text in one frame */
#define REPORT_MAX TEXT_MAX

struct announcement {
	uint16_t type, length;
};

/*
 * State that a listener needs to understand records. It is sent again before each KEY frame,
 * except the first of each CPU in a command. A host tool that starts late, or lost it to noise,
 * can join there.
 */
static struct {
	size_t used, hello; /* bytes in all; those of HELLO, which stay for all commands */
	uint8_t bytes[WIRE_AGAIN_ROOM];
} announced;

/* Announcements without room are sent only once. */
static void announce_frame(enum wire_type type, size_t length)
{
	const struct announcement head = {(uint16_t)type, (uint16_t)length};

	wire_send_payload(type, WIRE_STREAM_MAIN, length);
	if (announced.used + sizeof(head) + length > sizeof(announced.bytes))
		return;
	memcpy(announced.bytes + announced.used, &head, sizeof(head));
	memcpy(announced.bytes + announced.used + sizeof(head), wire_payload, length);
	announced.used += sizeof(head) + length;
}

/* Sends the announcements within the first `bytes` again, by `send`. Returns the bytes on the
 * line. */
static uint64_t say_again(size_t bytes, void (*send)(enum wire_type type, uint8_t stream,
						     const void *payload, size_t length))
{
	struct announcement head;
	uint64_t sent = 0;

	for (size_t at = 0; at < bytes; at += sizeof(head) + head.length) {
		memcpy(&head, announced.bytes + at, sizeof(head));
		send((enum wire_type)head.type, WIRE_STREAM_MAIN,
		     announced.bytes + at + sizeof(head), head.length);
		sent += FRAME_OVERHEAD + head.length;
	}
	return sent;
}

uint64_t wire_announce_again(void)
{
	return say_again(announced.used, wire_send_from);
}

size_t wire_announced(void)
{
	return announced.used;
}

void wire_init(const struct handoff *handoff)
{
	wire.handoff = handoff;
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

static void announce_some_cpus(unsigned part, unsigned end)
{
	size_t length = 0;

	for (unsigned i = part * WIRE_CPUS_MOST; i < end; i++) {
		const struct smp_cpu *at = smp_online(i);
		const struct wire_cpu cpu = {
			.apic_id = at->apic_id,
			.package = (uint16_t)at->place.package,
			.core = (uint16_t)at->place.core,
			.thread = (uint16_t)at->place.thread,
			.core_type = at->core_type,
			.part = (uint8_t)part,
		};

		length = wire_append(length, &cpu, sizeof(cpu));
	}
	announce_frame(WIRE_CPUS, length);
}

static void announce_cpus(unsigned n)
{
	for (unsigned part = 0; part * WIRE_CPUS_MOST < n; part++)
		announce_some_cpus(part, (unsigned)least_of(n, (part + 1) * WIRE_CPUS_MOST));
}

static void announce_nodes(unsigned ncpus)
{
	const struct wire_nodes head = {.nodes = (uint16_t)nodes()->n, .cpus = (uint16_t)ncpus};
	size_t length = wire_append(0, &head, sizeof(head));

	for (unsigned i = 0; i < head.nodes; i++) {
		const uint64_t kib = numa_memory(nodes(), i) >> 10;

		length = wire_append(length, &kib, sizeof(kib));
	}
	for (unsigned i = 0; i < ncpus; i++) {
		const uint8_t node = (uint8_t)smp_online(i)->node;

		length = wire_append(length, &node, sizeof(node));
	}
	announce_frame(WIRE_NODES, length);
}

void wire_hello(void)
{
	const struct pmu_caps *caps = machine_caps();
	struct wire_hello hello = {
		.version = WIRE_VERSION,
		.ncpus = (uint16_t)smp_ncpus(),
		.tsc_khz = (uint32_t)tsc_khz(),
		.clock_ns = clock_ns(),
		.image_base = (uintptr_t)image_start,
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
	n = wire_append(0, &hello, sizeof(hello));
	n = wire_append_string(n, PERF0_VERSION);
	n = wire_append_string(n, caps->vendor_id);
	n = wire_append_string(n, caps->brand);
	n = wire_append_string(n, wire.handoff->args);
	announce_frame(WIRE_HELLO, n);
	if (hello.ncpus > 1)
		announce_cpus(hello.ncpus);
	if (nodes()->n > 1)
		announce_nodes(hello.ncpus);
	announced.hello = announced.used;
}

void wire_hello_again(void)
{
	struct announcement head;

	if (!wire.said_hello)
		return;
	memcpy(&head, announced.bytes, sizeof(head));
	wire_send_from(WIRE_HELLO, WIRE_STREAM_MAIN, announced.bytes + sizeof(head), head.length);
}

void wire_input(uint64_t at, uint32_t bytes)
{
	const struct wire_input input = {.at = at, .bytes = bytes};

	wire_hold_drain(true);
	wire_send_payload(WIRE_INPUT, WIRE_STREAM_MAIN, wire_append(0, &input, sizeof(input)));
	wire_hold_drain(false);
}

void wire_text(enum wire_text_kind kind, const char *text, size_t n)
{
	const struct wire_text head = {.kind = (uint8_t)kind};

	while (n) {
		size_t part = n < TEXT_MAX ? n : TEXT_MAX;

		wire_hold_drain(true);
		wire_send_payload(WIRE_TEXT, WIRE_STREAM_MAIN,
				  wire_append(wire_append(0, &head, sizeof(head)), text, part));
		wire_hold_drain(false);
		text += part;
		n -= part;
	}
}

void wire_begin(const char *command_line)
{
	const struct wire_begin begin = {.command = wire.command};

	line_forget_waits();
	wire_hello();
	if (kept_is_on() && !kept_has_frames())
		say_again(announced.hello, wire_keep);
	wire.books = (struct wire_books){0};
	wire.began = wire_enabled();
	announced.used = announced.hello;
	wire_restart_records();
	announce_frame(WIRE_BEGIN,
		       wire_append_string(wire_append(0, &begin, sizeof(begin)), command_line));
}

static size_t append_ids(size_t length, const struct wire_target *targets, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		length = wire_append(length, &targets[i].id, sizeof(targets[i].id));
	return length;
}

static size_t append_cpus(size_t length, const struct wire_target *targets, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const uint16_t cpu = targets[i].cpu < 0 ? WIRE_ANY_CPU : (uint16_t)targets[i].cpu;

		length = wire_append(length, &cpu, sizeof(cpu));
	}
	return length;
}

/* Announces `n` targets of the event from `from` on; the first target of all identifies the
 * event. */
static void announce_more_ids(const struct wire_target *targets, unsigned from, unsigned n)
{
	const struct wire_event event = {.command = wire.command, .nids = (uint16_t)(n + 1)};
	size_t length = wire_append(0, &event, sizeof(event));

	length = append_ids(length, targets, 1);
	length = append_ids(length, targets + from, n);
	length = wire_append_string(length, "");
	length = append_cpus(length, targets, 1);
	announce_frame(WIRE_EVENT, append_cpus(length, targets + from, n));
}

void wire_event(const struct perf_event_attr *attr, const char *name,
		const struct wire_target *targets, unsigned n)
{
	const unsigned in_first = (unsigned)least_of(n, WIRE_IDS_MOST);
	const struct wire_event event = {
		.command = wire.command,
		.attr_size = (uint16_t)sizeof(*attr),
		.nids = (uint16_t)in_first,
	};
	size_t length = wire_append(0, &event, sizeof(event));

	length = wire_append(length, attr, sizeof(*attr));
	length = append_ids(length, targets, in_first);
	length = wire_append_string(length, name);
	announce_frame(WIRE_EVENT, append_cpus(length, targets, in_first));
	for (unsigned i = in_first; i < n; i += WIRE_IDS_MOST)
		announce_more_ids(targets, i, (unsigned)least_of(n - i, WIRE_IDS_MOST));
}

void wire_format(uint32_t id, const char *system, const char *name, const char *format)
{
	const struct wire_format head = {.command = wire.command, .id = id};
	size_t n = wire_append(0, &head, sizeof(head));

	n = wire_append_string(n, system);
	n = wire_append_string(n, name);
	announce_frame(WIRE_FORMAT, wire_append_string(n, format));
}

void wire_count(const char *name, const char *cgroup, unsigned cpu, int error, uint8_t truth,
		uint64_t value, uint64_t enabled, uint64_t running)
{
	const struct wire_count count = {
		.command = wire.command,
		.cpu = cpu,
		.error = error,
		.truth = truth,
		.value = value,
		.time_enabled = enabled,
		.time_running = running,
	};

	size_t n = wire_append_string(wire_append(0, &count, sizeof(count)), name);

	if (cgroup)
		n = wire_append_string(n, cgroup);
	wire_send_payload(WIRE_COUNT, WIRE_STREAM_MAIN, n);
}

void wire_file(struct wire_file *head, const void *bytes, size_t n)
{
	head->command = wire.command;
	wire_send_payload(WIRE_FILE, WIRE_STREAM_MAIN,
			  wire_append(wire_append(0, head, sizeof(*head)), bytes, n));
}

void wire_sought(const char *paths, size_t n)
{
	wire_send_payload(WIRE_SOUGHT, WIRE_STREAM_MAIN, wire_append(0, paths, n));
}

void wire_crash(const void *payload, size_t n)
{
	struct wire_crash head;

	memcpy(&head, payload, sizeof(head));
	head.command = wire.command;
	wire_send_payload(WIRE_CRASH, WIRE_STREAM_MAIN,
			  wire_append(wire_append(0, &head, sizeof(head)),
				      (const uint8_t *)payload + sizeof(head), n - sizeof(head)));
}

void wire_noise(uint32_t flags, const char *line)
{
	const struct wire_noise head = {.command = wire.command, .flags = flags};

	wire_send_payload(WIRE_NOISE, WIRE_STREAM_MAIN,
			  wire_append_string(wire_append(0, &head, sizeof(head)), line));
}

void wire_report(const char *text, size_t n)
{
	const struct wire_report head = {.command = wire.command};

	while (n) {
		const size_t part = n < REPORT_MAX ? n : REPORT_MAX;

		wire_hold_drain(true);
		wire_send_payload(WIRE_REPORT, WIRE_STREAM_MAIN,
				  wire_append(wire_append(0, &head, sizeof(head)), text, part));
		wire_hold_drain(false);
		text += part;
		n -= part;
	}
}

void wire_books(const struct wire_books *books)
{
	wire_books_add(&wire.books, books);
}

void wire_result(int status)
{
	const struct wire_result result = {
		.command = wire.command++,
		.status = status,
		.books = wire.books,
	};
	const struct wire_bye bye = {.status = status, .commands = 1, .books = wire.books};

	wire_books_add(&wire.total, &wire.books);
	if (wire.began)
		wire_send_payload(WIRE_RESULT, WIRE_STREAM_MAIN,
				  wire_append(0, &result, sizeof(result)));
	wire_keep(WIRE_BYE, WIRE_STREAM_MAIN, &bye, sizeof(bye));
}

void wire_prompt(int status)
{
	const struct wire_prompt prompt = {.status = status, .commands = wire.command};

	wire_hello();
	wire_send_payload(WIRE_PROMPT, WIRE_STREAM_MAIN, wire_append(0, &prompt, sizeof(prompt)));
}

void wire_taken(const struct wire_taken *answer)
{
	size_t n;

	if (!wire.enabled)
		return;
	n = frame_encode(wire.frame, WIRE_TAKEN, WIRE_STREAM_MAIN, 0, answer, sizeof(*answer));
	line_write(wire.frame, n);
}

void wire_await(void)
{
	wire_send_payload(WIRE_AWAIT, WIRE_STREAM_MAIN, 0);
}

void wire_bye(int status)
{
	const struct wire_bye bye = {
		.status = status,
		.commands = wire.command,
		.books = wire.total,
	};

	wire_hello();
	wire_send_payload(WIRE_BYE, WIRE_STREAM_MAIN, wire_append(0, &bye, sizeof(bye)));
}
