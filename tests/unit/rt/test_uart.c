// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_uart.c - arch/x86/portable/uart.c with a simulated 16550, written from the data sheet: its
 * ports; its interrupt line, of which only edges count; and a receiver at the other end, which
 * stops the sender and lets it go on.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/errno.h>

#include "tests/unit/test.h"

#include "arch/x86/portable/uart.h"
#include "tests/shim/ports.h"

#define XON  0x11
#define XOFF 0x13

static struct uart uart;
static const struct uart_place com1 = {UART_PORTS, 1, 1, 0x3f8, 115200};

static struct chip {
	unsigned fifo; /* 1, 16 or 64 bytes */
	uint8_t ier, lcr, mcr, scratch, divisor[2];
	bool fifo_on, fifo_64;
	bool thr_event; /* the transmitter became empty, or its interrupt was switched on then */
	bool cts, cts_changed;
	unsigned in_fifo;    /* bytes that wait in the transmitter */
	unsigned drain;      /* the transmitter empties after so many reads of LSR */
	unsigned drain_left; /* reads of LSR until then */
	bool broken;         /* the transmitter never empties */
	uint8_t received[64];
	unsigned nreceived;
	bool line; /* the interrupt's level */
	unsigned edges;
	uint8_t sent[8192];
	size_t nsent;
	/* After this many reads of LSR or MSR the other end calls `then`. */
	unsigned reads_until;
	void (*then)(void);
} chip;

static void update_line(void)
{
	bool level = (chip.ier & 1 && chip.nreceived) || (chip.ier & 2 && chip.thr_event) ||
		     (chip.ier & 8 && chip.cts_changed);

	chip.edges += level && !chip.line;
	chip.line = level;
}

static void hear(uint8_t byte)
{
	assert_true(chip.nreceived < sizeof(chip.received));
	chip.received[chip.nreceived++] = byte;
	update_line();
}

static void set_cts(bool on)
{
	chip.cts_changed |= chip.cts != on;
	chip.cts = on;
	update_line();
}

static void pass_time(void)
{
	if (chip.reads_until && !--chip.reads_until)
		chip.then();
	if (!chip.in_fifo || chip.broken)
		return;
	if (chip.drain_left) {
		chip.drain_left--;
		return;
	}
	chip.in_fifo = 0;
	chip.thr_event = true;
}

static uint8_t read_data(void)
{
	uint8_t byte = chip.received[0];

	assert_true(chip.nreceived > 0);
	memmove(chip.received, chip.received + 1, --chip.nreceived);
	return byte;
}

static uint8_t chip_in_register(unsigned reg)
{
	uint8_t value = 0;

	switch (reg) {
	case 0:
		value = read_data();
		break;
	case 2:
		value = chip.fifo > 1 && chip.fifo_on ? 0xc0 : 0;
		value |= !chip.line;
		chip.thr_event &= (chip.ier & 1 && chip.nreceived) || !(chip.ier & 2);
		value |= chip.fifo_64 ? 0x20 : 0;
		break;
	case 5:
		pass_time();
		value = (uint8_t)((chip.in_fifo ? 0 : 0x60) | (chip.nreceived ? 1 : 0));
		break;
	case 6:
		pass_time();
		value = chip.cts ? 0x10 : 0;
		chip.cts_changed = false;
		break;
	case 7:
		value = chip.scratch;
		break;
	default:
		fail_msg("read of register %u", reg);
	}
	update_line();
	return value;
}

static void write_data(uint8_t value)
{
	if (chip.lcr & 0x80) {
		chip.divisor[0] = value;
		return;
	}
	/* More than fits would be lost. */
	assert_true(chip.in_fifo < chip.fifo);
	chip.in_fifo++;
	chip.drain_left = chip.drain;
	chip.thr_event = false;
	assert_true(chip.nsent < sizeof(chip.sent));
	chip.sent[chip.nsent++] = value;
}

static void chip_out_register(unsigned reg, uint8_t value)
{
	switch (reg) {
	case 0:
		write_data(value);
		break;
	case 1:
		if (chip.lcr & 0x80) {
			chip.divisor[1] = value;
			break;
		}
		/* The transmitter's interrupt comes at once if it is enabled while the transmitter
		 * is empty. */
		if (value & ~chip.ier & 2 && !chip.in_fifo)
			chip.thr_event = true;
		chip.ier = value;
		break;
	case 2:
		chip.fifo_on = value & 1;
		chip.fifo_64 = chip.fifo == 64 && chip.fifo_on && value & 0x20 && chip.lcr & 0x80;
		break;
	case 3:
		chip.lcr = value;
		break;
	case 4:
		chip.mcr = value;
		break;
	case 7:
		chip.scratch = value;
		break;
	default:
		fail_msg("write of register %u", reg);
	}
	update_line();
}

static uint8_t chip_in(uint16_t port)
{
	return chip_in_register(port - 0x3f8u);
}

static void chip_out(uint16_t port, uint8_t value)
{
	chip_out_register(port - 0x3f8u, value);
}

/* The same chip in memory: accesses of one width, at a fixed stride. Bits above a register's byte
 * do not belong to it. */
static struct uart_place in_memory;

static unsigned register_at(uintptr_t at, unsigned bytes)
{
	assert_int_equal(bytes, in_memory.width);
	assert_int_equal((at - in_memory.base) % in_memory.stride, 0);
	return (unsigned)((at - in_memory.base) / in_memory.stride);
}

static uint32_t chip_read(uintptr_t at, unsigned bytes)
{
	return chip_in_register(register_at(at, bytes)) | (bytes == 4 ? 0xabcdef00u : 0);
}

static void chip_write(uintptr_t at, unsigned bytes, uint32_t value)
{
	assert_true(value <= UINT8_MAX);
	chip_out_register(register_at(at, bytes), (uint8_t)value);
}

/* The interrupt handler, as in rt/console/console.c. */
static char typed[64];
static size_t ntyped;
static unsigned notified;

static void handler(void)
{
	int c;

	while ((c = uart_getc(&uart)) >= 0)
		typed[ntyped++] = (char)c;
	uart_serve(&uart);
}

static void has_input(void)
{
	notified++;
}

/* Serves interrupts as long as edges come; time passes in between. */
static void take_interrupts(unsigned rounds)
{
	while (rounds--) {
		if (chip.edges) {
			chip.edges--;
			handler();
		}
		pass_time();
		update_line();
	}
}

static void start_uart(unsigned fifo, enum uart_flow flow)
{
	chip = (struct chip){.fifo = fifo, .cts = true, .drain = 3};
	shim_ports = (struct shim_ports){.in = chip_in, .out = chip_out};
	ntyped = notified = 0;
	assert_int_equal(uart_init(&uart, &com1, 115200, flow), 0);
	uart_on_input(&uart, has_input);
	uart_interrupt(&uart, UART_INTERRUPT_ON);
}

static uint8_t bytes[6000];

FIXTURE(make_bytes)
{
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 7 + (i >> 8));
	return 0;
}

static void expect_sent(size_t n)
{
	assert_int_equal(chip.nsent, n);
	assert_memory_equal(chip.sent, bytes, n);
}

TEST(none_is_there)
{
	shim_ports = (struct shim_ports){0};
	assert_int_equal(uart_init(&uart, &com1, 115200, UART_FLOW_NONE), -ENODEV);
	assert_false(uart.present);
	uart_write(&uart, "abc", 3);
	assert_int_equal(uart.dropped, 3);
	assert_int_equal(uart_getc(&uart), -1);
}

TEST(registers_in_memory)
{
	static const struct uart_place places[] = {
		{UART_MEMORY, 1, 1, 0xffff8000fe000000, 115200},
		{UART_MEMORY, 4, 1, 0xffff8000fe001000, 115200},
		{UART_MEMORY, 4, 4, 0xffff8000fe002000, 3000000},
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		chip = (struct chip){.fifo = 16, .cts = true, .drain = 3};
		in_memory = places[i];
		shim_ports = (struct shim_ports){.read = chip_read, .write = chip_write};
		assert_int_equal(uart_init(&uart, &places[i], places[i].clock / 26, UART_FLOW_NONE),
				 places[i].clock % 26 ? -EINVAL : 0);
		assert_int_equal(uart_init(&uart, &places[i], places[i].clock / 8, UART_FLOW_NONE),
				 0);
		assert_int_equal(chip.divisor[0] | chip.divisor[1] << 8, 8);
		assert_int_equal(uart.fifo, 16);
		uart_write(&uart, bytes, 1000);
		expect_sent(1000);
		hear('x');
		assert_int_equal(uart_getc(&uart), 'x');
	}
}

/* The clock is unknown, or no speed is set: the divisor stays as it is. */
TEST(speed_as_it_is)
{
	static const struct uart_place unknown = {UART_PORTS, 1, 1, 0x3f8, 0};

	start_uart(16, UART_FLOW_NONE);
	chip.divisor[0] = 77;
	chip.divisor[1] = 1;
	assert_int_equal(uart_init(&uart, &unknown, 115200, UART_FLOW_NONE), 0);
	assert_int_equal(uart_init(&uart, &com1, 0, UART_FLOW_NONE), 0);
	assert_int_equal(chip.divisor[0] | chip.divisor[1] << 8, 77 | 256);
	assert_int_equal(chip.lcr, 3);
}

/* A test interrupt shows whether the line works: it comes at once, and ends when it is disabled. */
TEST(an_interrupt_to_measure)
{
	start_uart(16, UART_FLOW_NONE);
	chip.edges = 0;
	uart_interrupt(&uart, UART_INTERRUPT_NOW);
	assert_int_equal(chip.edges, 1);
	assert_true(uart_is_cause(&uart));
	assert_false(uart_is_cause(&uart));
	uart_interrupt(&uart, UART_INTERRUPT_NOW);
	uart_interrupt(&uart, UART_INTERRUPT_ON);
	assert_false(chip.line);
	hear('x');
	assert_true(chip.line);
	uart_getc(&uart);
	uart_interrupt(&uart, UART_INTERRUPT_OFF);
	chip.edges = 0;
	hear('y');
	assert_int_equal(chip.edges, 0);
	assert_true(uart_is_due(&uart));
	assert_int_equal(uart_getc(&uart), 'y');
	assert_false(uart_is_due(&uart));
}

/* Polling sends the queue of a line without interrupts. */
TEST(a_queue_by_looking)
{
	static uint8_t queue[4096];
	unsigned looks = 0;

	start_uart(16, UART_FLOW_NONE);
	uart_interrupt(&uart, UART_INTERRUPT_OFF);
	chip.edges = 0;
	uart_set_queue(&uart, queue, sizeof(queue));
	uart_write(&uart, bytes, 1000);
	for (; uart_queue_room(&uart) < sizeof(queue); looks++) {
		assert_true(looks < 10000);
		if (uart_is_due(&uart))
			uart_serve(&uart);
	}
	expect_sent(1000);
	assert_int_equal(chip.edges, 0);
	uart_set_queue(&uart, NULL, 0);
}

/* An absent receiver must not block the writer: the bytes are dropped. */
TEST(an_impatient_line)
{
	start_uart(16, UART_FLOW_RTSCTS);
	uart.patient = false;
	set_cts(false);
	uart_write(&uart, bytes, 100);
	assert_int_equal(uart.dropped, 100);
	set_cts(true);
	uart_write(&uart, bytes, 100);
	expect_sent(100);
}

TEST(speeds)
{
	start_uart(16, UART_FLOW_NONE);
	assert_int_equal(uart_init(&uart, &com1, 9600, UART_FLOW_NONE), 0);
	assert_int_equal(chip.divisor[0] | chip.divisor[1] << 8, 12);
	assert_int_equal(uart_init(&uart, &com1, 50, UART_FLOW_NONE), 0);
	assert_int_equal(chip.divisor[0] | chip.divisor[1] << 8, 2304);
	assert_int_equal(chip.lcr, 3);
	assert_int_equal(uart_init(&uart, &com1, 9601, UART_FLOW_NONE), -EINVAL);
	assert_int_equal(uart_init(&uart, &com1, 230400, UART_FLOW_NONE), -EINVAL);
}

TEST(depths)
{
	static const unsigned fifos[] = {1, 16, 64};

	for (size_t i = 0; i < 3; i++) {
		start_uart(fifos[i], UART_FLOW_NONE);
		assert_int_equal(uart.fifo, fifos[i]);
		uart_write(&uart, bytes, 1000);
		expect_sent(1000);
	}
}

TEST(a_stuck_line_is_not_waited_for_twice)
{
	start_uart(16, UART_FLOW_NONE);
	chip.broken = true;
	uart_write(&uart, bytes, 100);
	assert_int_equal(chip.nsent, 16);
	assert_int_equal(uart.dropped, 84);
	uart_write(&uart, bytes, 100);
	assert_int_equal(uart.dropped, 184);
	chip.broken = false;
	chip.in_fifo = 0;
	uart_write(&uart, bytes, 100);
	assert_int_equal(chip.nsent, 116);
}

static void say_xon(void)
{
	assert_int_equal(chip.nsent, 0);
	hear('x');
	hear(XON);
}

/* Keys that come while XOFF stops output are neither lost nor late: the handler gets them. */
TEST(xoff_holds_direct_output)
{
	start_uart(16, UART_FLOW_XONXOFF);
	hear(XOFF);
	chip.reads_until = 3000000; /* more than a stuck line gets */
	chip.then = say_xon;
	uart_write(&uart, bytes, 500);
	expect_sent(500);
	assert_int_equal(uart.dropped, 0);
	assert_int_equal(notified, 1);
	handler();
	assert_int_equal(ntyped, 1);
	assert_int_equal(typed[0], 'x');
}

TEST(without_flow_control_they_are_keys)
{
	start_uart(16, UART_FLOW_NONE);
	hear(XOFF);
	hear(XON);
	uart_write(&uart, bytes, 20);
	expect_sent(20);
	assert_int_equal(uart_getc(&uart), XOFF);
	assert_int_equal(uart_getc(&uart), XON);
	assert_int_equal(uart_getc(&uart), -1);
}

static void raise_cts(void)
{
	assert_int_equal(chip.nsent, 0);
	set_cts(true);
}

TEST(cts_holds_direct_output)
{
	start_uart(16, UART_FLOW_RTSCTS);
	assert_int_equal(chip.mcr & 3, 3);
	set_cts(false);
	chip.reads_until = 3000000;
	chip.then = raise_cts;
	uart_write(&uart, bytes, 500);
	expect_sent(500);
}

static uint8_t queue[4096];

TEST(the_queue_goes_out_by_interrupts)
{
	static const unsigned fifos[] = {1, 16, 64};

	for (size_t i = 0; i < 3; i++) {
		start_uart(fifos[i], UART_FLOW_NONE);
		assert_int_equal(uart_queue_room(&uart), 0);
		uart_set_queue(&uart, queue, sizeof(queue));
		assert_int_equal(uart_queue_room(&uart), sizeof(queue));
		/* The queue wraps many times, with pieces of any size. */
		for (size_t at = 0, n = 1; at + n <= 5500; at += n, n = n * 5 % 701 + 1) {
			assert_true(uart_queue_room(&uart) >= n);
			uart_write(&uart, bytes + at, n);
			take_interrupts(4000);
			assert_int_equal(chip.nsent, at + n);
		}
		expect_sent(chip.nsent);
		assert_int_equal(uart_queue_room(&uart), sizeof(queue));
		/* And nothing interrupts any more. */
		assert_false(chip.line);
		assert_int_equal(chip.ier, 1);
	}
}

static void press_x(void)
{
	hear('x');
}

/* A key comes at any step of the handler: one cause follows another while the interrupt line stays
 * high. */
TEST(a_key_amid_the_handler)
{
	for (unsigned step = 1; step < 40; step++) {
		start_uart(16, UART_FLOW_NONE);
		uart_set_queue(&uart, queue, sizeof(queue));
		uart_write(&uart, bytes, 3000);
		chip.reads_until = step;
		chip.then = press_x;
		take_interrupts(3000);
		expect_sent(3000);
		assert_int_equal(ntyped, 1);
	}
}

TEST(a_full_queue_waits)
{
	start_uart(16, UART_FLOW_NONE);
	uart_set_queue(&uart, queue, 1000);
	uart_write(&uart, bytes, 3000);
	assert_true(chip.nsent >= 2000);
	uart_set_queue(&uart, NULL, 0);
	expect_sent(3000);
	assert_int_equal(uart_queue_room(&uart), 0);
	uart_write(&uart, bytes + 3000, 10);
	expect_sent(3010);
}

TEST(xoff_holds_the_queue)
{
	start_uart(16, UART_FLOW_XONXOFF);
	uart_set_queue(&uart, queue, sizeof(queue));
	hear(XOFF);
	take_interrupts(10);
	uart_write(&uart, bytes, 3000);
	take_interrupts(1000);
	assert_int_equal(chip.nsent, 0);
	assert_int_equal(uart_queue_room(&uart), sizeof(queue) - 3000);
	hear(XON);
	take_interrupts(3000);
	expect_sent(3000);
	assert_int_equal(ntyped, 0);
}

TEST(cts_holds_the_queue)
{
	start_uart(16, UART_FLOW_RTSCTS);
	uart_set_queue(&uart, queue, sizeof(queue));
	uart_write(&uart, bytes, 3000);
	take_interrupts(100);
	assert_in_range(chip.nsent, 1, 2999);
	set_cts(false);
	take_interrupts(1000);
	assert_in_range(chip.nsent, 1, 2999);
	set_cts(true);
	take_interrupts(3000);
	expect_sent(3000);
}

TEST(a_panic_waits_for_nobody)
{
	start_uart(16, UART_FLOW_XONXOFF);
	uart_set_queue(&uart, queue, sizeof(queue));
	hear(XOFF);
	take_interrupts(10);
	uart_write(&uart, bytes, 300);
	uart_panic(&uart);
	uart_write(&uart, bytes + 300, 200);
	expect_sent(500);
}

GROUP(make_bytes, NULL);
