// SPDX-License-Identifier: BSD-2-Clause
/*
 * main.c - a ring 0 that attacks the host tool. It starts and waits as the image does; its command
 * is `loop SEED`. The seed determines the frames, the bytes on the serial line, the words in the
 * tool's shared memory and in the plugin's page, and the end of the run.
 */
#include "arch/x86/dev/fwcfg.h"
#include "arch/x86/dev/pci.h"
#include "arch/x86/insn.h"
#include "boot/efi.h"
#include "include/perf0/events_page.h"
#include "include/perf0/programs.h"
#include "include/perf0/shared.h"
#include "include/perf0/vpmu.h"
#include "include/perf0/wire_frames.h"
#include "lib/format/frame.h"
#include "lib/string.h"

#define COM1          0x3f8
#define LINE_STATUS   (COM1 + 5)
#define LINE_HAS_BYTE 0x01
#define LINE_FREE     0x20
#define RESET_PORT    0xcf9
#define FULL_RESET    6
#define STEPS         400
#define TYPES         72 /* types of frames, with some that do not exist */

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table);

static struct {
	uint8_t *shared; /* the tool's memory; NULL: there is none */
	uint8_t *page;   /* the plugin's memory */
	struct shared_ring *ring;
	uint64_t random;
	uint32_t seq[FRAME_STREAMS];
	bool by_ring;
} hostile;

/* --- Numbers --- */

static uint64_t xorshift_word(void)
{
	hostile.random ^= hostile.random << 13;
	hostile.random ^= hostile.random >> 7;
	hostile.random ^= hostile.random << 17;
	return hostile.random;
}

static uint64_t random_less(uint64_t n)
{
	return xorshift_word() % n;
}

/* Draws a number of any length, or one at a limit of a type. */
static uint64_t number(void)
{
	static const uint64_t edges[] = {0,      1,         7,          0xff,      0x7fff,
					 0xffff, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};

	return random_less(3) ? xorshift_word() >> random_less(64)
			      : edges[random_less(sizeof(edges) / sizeof(*edges))];
}

/* --- The line --- */

static void put_byte(uint8_t c)
{
	while (!(inb(LINE_STATUS) & LINE_FREE))
		cpu_pause();
	outb(COM1, c);
}

static void put_bytes(const uint8_t *bytes, size_t n)
{
	while (n--)
		put_byte(*bytes++);
}

static void put_in_ring(const uint8_t *bytes, size_t n)
{
	uint8_t *to = hostile.shared + SHARED_OUT_OFFSET + SHARED_PAGE;

	for (size_t i = 0; i < n; i++)
		to[(hostile.ring->head + i) % (SHARED_OUT_BYTES - SHARED_PAGE)] = bytes[i];
	hostile.ring->head += n;
	put_byte(WIRE_BELL);
}

static void send(uint8_t type, uint8_t stream, const void *payload, size_t n)
{
	static uint8_t frame[FRAME_MAX_SIZE];

	n = frame_encode(frame, type, stream, hostile.seq[stream]++, payload, n);
	if (hostile.by_ring)
		put_in_ring(frame, n);
	else
		put_bytes(frame, n);
}

static void wait_for_start(void)
{
	do
		while (!(inb(LINE_STATUS) & LINE_HAS_BYTE))
			cpu_pause();
	while (inb(COM1) != WIRE_TYPED_START);
}

/* --- One step --- */

static uint8_t payload[WIRE_MAX_PAYLOAD];

static size_t fill_payload(size_t most)
{
	const size_t n =
		random_less(8) ? random_less(most < 128 ? most : 128) : random_less(most + 1);

	for (size_t i = 0; i < n; i += 8) {
		const uint64_t word = random_less(2) ? number() : random_less(4);

		memcpy(payload + i, &word, n - i < 8 ? n - i : 8);
	}
	return n;
}

/* Sends any frame; half of the frames name a command that runs. */
static void send_any(void)
{
	const size_t n = fill_payload(sizeof(payload));
	const uint32_t command = (uint32_t)random_less(2);

	if (n >= sizeof(command) && random_less(2))
		memcpy(payload, &command, sizeof(command));
	send((uint8_t)random_less(TYPES),
	     random_less(4) ? WIRE_STREAM_MAIN : (uint8_t)xorshift_word(), payload, n);
}

static void send_hello(void)
{
	static struct {
		struct wire_hello hello;
		char text[64];
	} said = {.text = "1\0\033[2Jv\0\xff\xfe\0x"};

	said.hello = (struct wire_hello){.version = WIRE_VERSION,
					 .ncpus = (uint16_t)random_less(3),
					 .build_id_size = (uint32_t)number()};
	send(WIRE_HELLO, WIRE_STREAM_MAIN, &said, sizeof(said));
}

static void send_begin(void)
{
	static uint8_t begin[24] = "....lo\033]0;op\a\nperf0: ok";
	const uint32_t command = (uint32_t)random_less(3);

	memcpy(begin, &command, sizeof(command));
	send(WIRE_BEGIN, WIRE_STREAM_MAIN, begin, sizeof(begin));
}

/* Sends control characters of C0 and C1, and sequences that a terminal obeys. */
static void send_text(void)
{
	static uint8_t text[] = "?\033[2J\033]52;c;AAAA\a\x9b"
				"31m\r\b\b\xc2\x9b"
				"1m\x7f perf0: all is well\n";

	text[0] = (uint8_t)random_less(9);
	send(WIRE_TEXT, WIRE_STREAM_MAIN, text, sizeof(text) - 1);
}

/* Sends pieces of the file that --bring asks for, and of files that the tool did not ask for. */
static void send_file(void)
{
	struct wire_file head = {.index = (uint32_t)random_less(3),
				 .offset = random_less(2) ? 0 : number(),
				 .flags = (uint16_t)random_less(4),
				 .error = random_less(4) ? 0 : (uint16_t)number(),
				 .mode = (uint32_t)number()};
	const size_t n = fill_payload(64);

	memmove(payload + sizeof(head), payload, n);
	memcpy(payload, &head, sizeof(head));
	send(WIRE_FILE, WIRE_STREAM_MAIN, payload, sizeof(head) + n);
}

static void send_sought(void)
{
	static const char names[] = "/etc/passwd\0/\033[2J\0../../x\0/bin/sh\0/dev/zero";

	send(WIRE_SOUGHT, WIRE_STREAM_MAIN, names, sizeof(names));
	send(WIRE_RESULT, WIRE_STREAM_MAIN, payload, sizeof(struct wire_result));
}

static void send_input(void)
{
	const struct wire_input input = {.at = number(), .bytes = (uint32_t)number()};

	send(WIRE_INPUT, WIRE_STREAM_MAIN, &input, sizeof(input));
}

static void babble(void)
{
	put_bytes(payload, fill_payload(512));
}

static void ring_bells(void)
{
	for (uint64_t n = random_less(2000); n; n--) {
		if (hostile.ring && random_less(2))
			hostile.ring->head = hostile.ring->tail + SHARED_OUT_BYTES - SHARED_PAGE -
					     random_less(2);
		put_byte(WIRE_BELL);
	}
}

/* Writes head, tail, and the number of wanted input bytes. */
static void spoil_ring(void)
{
	if (!hostile.ring)
		return;
	if (random_less(2))
		hostile.ring->head = number();
	else
		hostile.ring->head += random_less(SHARED_OUT_BYTES);
	hostile.ring->wanted = (uint32_t)number();
	if (!random_less(4))
		hostile.ring->tail = number();
	put_byte(WIRE_BELL);
}

/* Writes the header, the addresses of counts, and the progress. */
static void spoil_shared(void)
{
	static const uint32_t at[] = {0, SHARED_IN_OFFSET, SHARED_SAMPLES_OFFSET,
				      SHARED_STEPS_OFFSET};
	const uint64_t word = number();

	if (hostile.shared)
		memcpy(hostile.shared + at[random_less(4)] + 8 * random_less(16), &word,
		       sizeof(word));
}

static void spoil_page(void)
{
	const uint64_t word = number();

	if (hostile.page)
		memcpy(hostile.page +
			       (random_less(2) ? 8 * random_less(64) : 2048 + 8 * random_less(256)),
		       &word, sizeof(word));
}

static void ask_vpmu(void)
{
	insn_cpuid(VPMU_CPUID_LEAF, (uint32_t)number());
	insn_cpuid(VPMU_CPUID_EVENT_LEAF + (uint32_t)random_less(16), (uint32_t)number());
}

static void (*const steps[])(void) = {
	send_any,   send_any,     send_any,   send_hello, send_begin, send_text,
	send_file,  send_sought,  send_input, babble,     ring_bells, spoil_ring,
	spoil_ring, spoil_shared, spoil_page, spoil_page, ask_vpmu,
};

/* --- Ends --- */

static void say_bye(void)
{
	const struct wire_bye bye = {.commands = (uint32_t)random_less(3),
				     .books.lost = random_less(2)};

	send(WIRE_BYE, WIRE_STREAM_MAIN, &bye, sizeof(bye));
}

static void reset_by_port(void)
{
	outb(RESET_PORT, FULL_RESET);
}

static void stop_machine(void)
{
	outb(SHARED_STOP_PORT, SHARED_STOP_VALUE);
}

static void stand_still(void)
{
}

static void ask_for_ever(void)
{
	for (;;)
		send_input();
}

static void ring_for_ever(void)
{
	for (;;)
		ring_bells();
}

static void call_vpmu(void)
{
	__asm__ volatile("vmmcall" : : "a"(xorshift_word()) : "memory");
}

static void (*const ends[])(void) = {
	say_bye,     say_bye,      reset_by_port, stop_machine,
	stand_still, ask_for_ever, ring_for_ever, call_vpmu,
};

/* --- */

static void find_memory(void)
{
	struct pci_device device;

	for (unsigned i = 0; pci_find_nth(SHARED_PCI_VENDOR, SHARED_PCI_DEVICE, i, &device); i++) {
		uint8_t *memory = (uint8_t *)pci_memory_bar(&device, SHARED_BAR);

		if (memory && !memcmp(memory, SHARED_MAGIC, 8))
			hostile.shared = memory;
		if (memory && !memcmp(memory, EVENTS_PAGE_MAGIC, 8))
			hostile.page = memory;
	}
	if (hostile.shared)
		hostile.ring = (struct shared_ring *)(hostile.shared + SHARED_OUT_OFFSET);
}

/* Returns all digits of the commands as one number. */
static uint64_t find_seed(void)
{
	struct fwcfg_file file;
	char text[64] = "";
	uint64_t seed = 0;
	size_t n;

	if (!fwcfg_find(PROGRAMS_COMMANDS, &file))
		return 0;
	n = file.bytes < sizeof(text) ? file.bytes : sizeof(text) - 1;
	fwcfg_read(&file, 0, text, n);
	for (size_t i = 0; i < n; i++)
		if (text[i] >= '0' && text[i] <= '9')
			seed = seed * 10 + (uint64_t)(text[i] - '0');
	return seed;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table)
{
	uint64_t seed;

	(void)image;
	(void)system_table;
	find_memory();
	hostile.by_ring = hostile.ring; /* on the line the tool would take 0xff for WIRE_BELL */
	send(WIRE_AWAIT, WIRE_STREAM_MAIN, "", 0);
	wait_for_start();
	seed = find_seed();
	hostile.random = (seed + 1) * 0x9e3779b97f4a7c15;
	hostile.by_ring = hostile.ring && seed / 8 % 2;
	send_hello();
	send_begin();
	for (unsigned i = 0; i < STEPS; i++)
		steps[random_less(sizeof(steps) / sizeof(*steps))]();
	ends[seed % 8]();
	for (;;)
		cpu_halt();
}
