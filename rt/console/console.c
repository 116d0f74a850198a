// SPDX-License-Identifier: BSD-2-Clause
/*
 * console.c - received bytes come by interrupt into a queue; ^C and ^T act at once. The prompt
 * sleeps in HLT between keys, so that an idle machine is idle.
 */
#include "rt/console/console.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/dev/fb.h"
#include "arch/x86/dev/serial_find.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/world/world.h"
#include "arch/x86/portable/serial.h"
#include "include/perf0/handoff.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "lib/time.h"
#include "rt/console/command.h"
#include "rt/console/complete.h"
#include "rt/console/keyboard.h"
#include "rt/console/look.h"
#include "rt/console/menu.h"
#include "rt/firmware/firmware_calls.h"
#include "rt/portable/line_edit.h"
#include "rt/print/print.h"
#include "rt/console/stick.h"
#include "rt/console/typed_files.h"
#include "linux/program/store.h"
#include "linux/task/task.h"
#include "rt/portable/typeahead.h"
#include "rt/base/vectors.h"
#include "rt/wire/carrier.h"
#include "rt/wire/wire.h"

#define KEY_INTERRUPT WIRE_TYPED_INTERRUPT
#define KEY_SNAPSHOT  WIRE_TYPED_SNAPSHOT
#define LINE_SIZE     (COMMAND_LINE_MAX + 1)
#define ECHO_SIZE     256

/* A busy line brings the next byte within this time. */
#define LINE_PAUSE_NS    (20 * NSEC_PER_MS)
#define FIRMWARE_LOOK_MS 1000

static struct typeahead queue;
static bool line_typed;    /* mode=borrow: more input may be coming over the line */
static volatile bool held; /* the sender was asked to stop */
static char *line_text;    /* LINE_SIZE bytes */

/* The echo of all keys that have already arrived goes out in one piece. */
static struct {
	size_t n;
	char bytes[ECHO_SIZE];
} echoed;

/* XOFF would damage a frame: during frames the queue has to suffice, and losses are reported. */
static void hold_sender(bool hold)
{
	if (held == hold || (hold && print_is_framed()))
		return;
	held = hold;
	serial_hold(hold);
}

static void take_input_byte(int byte, bool *interrupt, bool *snapshot)
{
	const bool at_once = byte == KEY_INTERRUPT || byte == KEY_SNAPSHOT;

	if (byte == UART_LOST) {
		typeahead_lost(&queue);
		return;
	}
	if (byte == WIRE_TYPED_EMPTY && line_emptied())
		return;
	*interrupt |= byte == KEY_INTERRUPT;
	*snapshot |= byte == KEY_SNAPSHOT;
	if (!at_once || !task_runs())
		typeahead_put(&queue, (uint8_t)byte);
}

static void (*volatile take_snapshot)(void); /* NULL: there is no snapshot to take */

static void on_line(struct trap_frame *frame)
{
	bool interrupt = false, snapshot = false;
	int c;

	if (frame->vector >= VECTOR_SERIAL)
		serial_interrupted((unsigned)frame->vector - VECTOR_SERIAL);
	while ((c = serial_getc()) >= 0)
		take_input_byte(c, &interrupt, &snapshot);
	if (typeahead_used(&queue) >= TYPEAHEAD_STOP)
		hold_sender(true);
	serial_serve();
	wire_line_served();
	apic_eoi();
	if (snapshot && task_runs() && take_snapshot)
		take_snapshot();
	if (interrupt)
		task_interrupt();
}

void console_on_snapshot(void (*fn)(void))
{
	take_snapshot = fn;
}

static void has_input(void)
{
	apic_send_self(VECTOR_INPUT);
}

static void *take_console_pages(size_t bytes)
{
	void *memory = page_alloc((bytes + PAGE_SIZE - 1) / PAGE_SIZE);

	if (!memory)
		panic("no memory for the console");
	return memory;
}

static void give_line(void)
{
	serial_lend(true);
}

static void take_line(void)
{
	serial_lend(false);
}

static const struct world_device lent_line = {give_line, take_line};

void console_init(void)
{
	typeahead_init(&queue, take_console_pages(TYPEAHEAD_BYTES));
	line_text = take_console_pages(LINE_SIZE);
	typed_init();
	world_lend_device(&lent_line);
	for (unsigned i = 0; i < SERIAL_MOST; i++) {
		trap_set_irq(VECTOR_SERIAL + i, on_line);
		trap_name_irq(VECTOR_SERIAL + i, "serial");
	}
	trap_set_irq(VECTOR_INPUT, on_line);
	trap_name_irq(VECTOR_INPUT, "serial");
	look_init(has_input);
	serial_route(VECTOR_SERIAL, has_input);
}

static void show_echoed(void)
{
	if (echoed.n)
		out_text(echoed.bytes, echoed.n);
	echoed.n = 0;
}

static void echo_typed(const char *text, size_t n)
{
	if (echoed.n + n > sizeof(echoed.bytes))
		show_echoed();
	memcpy(echoed.bytes + echoed.n, text, n);
	echoed.n += n;
}

/* Puts keys of the firmware's keyboards into the queue, as the line's interrupt does. */
static void put_firmware_key(const char *bytes, size_t n)
{
	const uint64_t flags = irq_save();

	for (size_t i = 0; i < n; i++)
		typeahead_put(&queue, (uint8_t)bytes[i]);
	irq_restore(flags);
}

/* Polls lines that do not interrupt. */
static void look_once(void)
{
	const uint64_t flags = irq_save();

	if (serial_is_due())
		has_input();
	irq_restore(flags);
	cpu_pause();
}

/* Waits for a key. Interrupts take the bytes of the line. The firmware knows nothing of them, so it
 * is not asked while some arrive. */
static void wait_beside_firmware(void)
{
	const uint64_t from = clock_ns();

	while (line_typed && clock_ns() - from < LINE_PAUSE_NS && !typeahead_used(&queue))
		look_once();
	if (typeahead_used(&queue))
		return;
	line_typed = firmware_keys(FIRMWARE_LOOK_MS, put_firmware_key) > 0;
	if (line_typed)
		has_input(); /* input that came before this has already interrupted */
}

static void wait_for_line(void)
{
	look_at_prompt(true);
	irq_disable();
	if (!typeahead_used(&queue))
		apic_idle();
	irq_enable();
	look_at_prompt(false);
}

static int next_byte(void)
{
	int key = typeahead_get(&queue);

	while (key < 0) {
		show_echoed();
		fb_cursor(true);
		if (world_is_lent())
			wait_beside_firmware();
		else
			wait_for_line();
		key = typeahead_get(&queue);
	}
	if (held && typeahead_used(&queue) <= TYPEAHEAD_GO)
		hold_sender(false);
	return key;
}

static int next_key(void)
{
	int byte = next_byte();

	while (!typed_is_key(byte))
		byte = next_byte();
	return byte;
}

int console_key_within(unsigned ms)
{
	int key;

	firmware_keys(ms, put_firmware_key);
	irq_disable();
	has_input();
	irq_enable();
	while ((key = typeahead_get(&queue)) >= 0 && !typed_is_key(key))
		;
	return key;
}

bool console_waits_for_key(unsigned ms)
{
	return console_key_within(ms) >= 0;
}

void console_await(int key)
{
	while (next_key() != key)
		;
}

/* --- Callbacks of the editor --- */

#define PROMPT "perf0> "

static struct line_history history;

static const char *function_key(unsigned n)
{
	return n && n <= MENU_KEYS ? menu_line(n) : NULL;
}

static const struct line_console line_console = {
	.prompt = PROMPT,
	.complete = complete_line,
	.function = function_key,
	.scroll = fb_scroll,
};

static enum line_state read_line(struct line *line)
{
	enum line_state state;

	line_start(line, line_text, LINE_SIZE, echo_typed);
	line->history = &history;
	line->console = &line_console;
	fb_keep_words(false);
	do
		state = line_key(line, next_key());
	while (state == LINE_GOES_ON);
	show_echoed();
	fb_keep_words(true);
	return state;
}

/* A typed line runs as a whole, or is refused as a whole. */
static int run_line(void)
{
	struct line line;
	int status;

	switch (read_line(&line)) {
	case LINE_WHOLE:
		task_forget_interrupt();
		store_line_begins();
		keyboard_note_line(true);
		status = command_line(line.text);
		keyboard_note_line(false);
		return stick_run_asked(status);
	case LINE_TOO_LONG:
		return command_refuse(
			"a line that is too long",
			"the line has %zu characters, more than %d; nothing of it ran", line.typed,
			COMMAND_LINE_MAX);
	case LINE_LOST:
		return command_refuse("a line with a gap",
				      "input was lost in this line, of which %zu characters came; "
				      "nothing of it ran",
				      line.typed);
	default:
		return 0;
	}
}

void console_loop(void)
{
	int status = 0;

	for (;;) {
		wire_prompt(status);
		out(PROMPT);
		status = run_line();
		store_line_ended();
	}
}
