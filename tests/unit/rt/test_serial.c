// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_serial.c - arch/x86/portable/serial.c with several 16550s at once: output and typed input of
 * each line; and serial_tables.c, the firmware's tables of serial lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/errno.h>

#include "tests/unit/test.h"

#include "arch/x86/portable/serial.h"
#include "arch/x86/portable/serial_tables.h"
#include "tests/shim/ports.h"

#define CHIPS 3

/* Each chip sends all written bytes at once. */
static struct chip {
	uint16_t port;
	uint8_t scratch, lcr, divisor[2];
	char sent[256], typed[16];
	size_t nsent, ntyped;
} chips[CHIPS];

static struct chip *chip_at(uint16_t port, unsigned *reg)
{
	for (unsigned i = 0; i < CHIPS; i++)
		if (chips[i].port == (port & ~7u)) {
			*reg = port & 7;
			return &chips[i];
		}
	return NULL;
}

static uint8_t read_typed(struct chip *chip)
{
	const char byte = chip->typed[0];

	assert_true(chip->ntyped > 0);
	memmove(chip->typed, chip->typed + 1, --chip->ntyped);
	return (uint8_t)byte;
}

static uint8_t read_chip(uint16_t port)
{
	unsigned reg;
	struct chip *chip = chip_at(port, &reg);

	if (!chip)
		return 0xff;
	switch (reg) {
	case 0:
		return read_typed(chip);
	case 2:
		return 0xc1;
	case 5:
		return 0x60 | (chip->ntyped > 0);
	case 7:
		return chip->scratch;
	default:
		return 0;
	}
}

static void write_chip(uint16_t port, uint8_t value)
{
	unsigned reg;
	struct chip *chip = chip_at(port, &reg);

	if (!chip)
		return;
	if (reg < 2 && chip->lcr & 0x80)
		chip->divisor[reg] = value;
	else if (!reg)
		chip->sent[chip->nsent++] = (char)value;
	else if (reg == 3)
		chip->lcr = value;
	else if (reg == 7)
		chip->scratch = value;
}

static struct serial_found found_at(uint16_t port)
{
	return (struct serial_found){.how = "probed", .at = {UART_PORTS, 1, 1, port, 115200}};
}

/* Makes lines at the first `n` of the ports. */
static void start_lines(unsigned n)
{
	static const uint16_t ports[CHIPS] = {0x3f8, 0x2f8, 0x6060};

	memset(chips, 0, sizeof(chips));
	shim_ports = (struct shim_ports){.in = read_chip, .out = write_chip};
	serial_init(0, UART_FLOW_NONE);
	for (unsigned i = 0; i < n; i++) {
		const struct serial_found found = found_at(ports[i]);

		chips[i].port = ports[i];
		assert_int_equal(serial_add(&found), 0);
	}
}

static void type(unsigned chip, const char *text)
{
	memcpy(chips[chip].typed + chips[chip].ntyped, text, strlen(text));
	chips[chip].ntyped += strlen(text);
}

static void expect_typed(const char *expected)
{
	char got[32] = "";
	int c;

	for (size_t n = 0; (c = serial_getc()) >= 0; n++)
		got[n] = (char)c;
	assert_string_equal(got, expected);
}

static void expect_sent(unsigned chip, const char *text)
{
	assert_int_equal(chips[chip].nsent, strlen(text));
	assert_memory_equal(chips[chip].sent, text, strlen(text));
	chips[chip].nsent = 0;
}

TEST(none_is_there)
{
	const struct serial_found found = found_at(0x3f8);

	start_lines(0);
	assert_int_equal(serial_add(&found), -ENODEV);
	assert_int_equal(serial_count(), 0);
	serial_text("abc", 3);
	serial_frame("abc", 3);
	assert_int_equal(serial_getc(), -1);
	assert_false(serial_polled() || serial_watched() || serial_is_due());
}

TEST(text_goes_to_all)
{
	start_lines(3);
	serial_text("hello", 5);
	for (unsigned i = 0; i < 3; i++)
		expect_sent(i, "hello");
	type(2, "two");
	type(1, "one");
	expect_typed("onetwo");
}

/* Frames go to the line that answers, and text to the others. */
TEST(frames_go_to_one)
{
	start_lines(3);
	serial_frames(true);
	serial_frame("F", 1);
	serial_text("t", 1);
	expect_sent(0, "F");
	expect_sent(1, "t");
	type(2, "x");
	expect_typed("x");
	serial_frame("F", 1);
	expect_sent(0, "");
	expect_sent(2, "tF");
	/* Noise on another line changes nothing; a host that asks on another line gets the frames.
	 */
	type(1, "noise");
	expect_typed("noise");
	serial_frame("F", 1);
	expect_sent(2, "F");
	serial_frames(true);
	serial_frame("F", 1);
	expect_sent(1, "F");
	serial_frames(false);
	serial_text("t", 1);
	expect_sent(1, "t");
}

TEST(a_line_typed_at_first)
{
	start_lines(2);
	type(1, "text framed\r");
	expect_typed("text framed\r");
	serial_frames(true);
	serial_frame("F", 1);
	expect_sent(1, "F");
	serial_panic();
	serial_alarm("P", 1);
	expect_sent(0, "P");
	expect_sent(1, "P");
	serial_frame("F", 1);
	expect_sent(1, "F");
}

/* While a command runs, lines without interrupts are polled once input has come from them. */
TEST(watched_lines)
{
	static uint8_t queue[64];

	start_lines(2);
	serial_at(0)->interrupts = true;
	assert_true(serial_polled());
	assert_true(serial_host_interrupts());
	assert_false(serial_watched());
	type(0, "a");
	expect_typed("a");
	assert_false(serial_watched());
	type(1, "a");
	assert_true(serial_is_due());
	expect_typed("a");
	assert_true(serial_watched());
	serial_frames(true);
	assert_false(serial_host_interrupts());
	serial_set_queue(queue, sizeof(queue));
	assert_true(serial_queue_polled());
	serial_frame("F", 1);
	assert_int_equal(serial_queue_room(), sizeof(queue) - 1);
	serial_serve();
	expect_sent(1, "F");
	serial_set_queue(NULL, 0);
	assert_false(serial_queue_polled());
	serial_at(1)->interrupts = true;
	assert_false(serial_polled());
}

/* The firmware describes a line that probing has already found. */
TEST(told_twice)
{
	struct serial_found found = found_at(0x2f8);

	start_lines(2);
	found.how = "SPCR";
	found.route = SERIAL_ROUTE_ISA;
	found.input = 5;
	found.baud = 9600;
	assert_int_equal(serial_add(&found), 0);
	assert_int_equal(serial_count(), 2);
	assert_string_equal(serial_at(1)->found.how, "SPCR");
	assert_int_equal(serial_at(1)->found.input, 5);
	assert_int_equal(chips[1].divisor[0], 12);
	assert_int_equal(chips[0].divisor[0], 1);
	/* A speed that serial_init() set takes precedence over the firmware's. */
	serial_init(57600, UART_FLOW_NONE);
	assert_int_equal(serial_add(&found), 0);
	assert_int_equal(chips[1].divisor[0], 2);
	assert_int_equal(serial_add(&found), 0);
	assert_int_equal(chips[1].divisor[0], 2);
}

TEST(too_many)
{
	start_lines(1);
	for (unsigned i = 1; i <= SERIAL_MOST; i++) {
		struct serial_found found = found_at((uint16_t)(0x1000 + 8 * i));

		chips[1].port = (uint16_t)found.at.base;
		assert_int_equal(serial_add(&found), i < SERIAL_MOST ? 0 : -ENOSPC);
	}
}

/* --- Tables --- */

static uint8_t table[160];

static void put_field(size_t at, uint64_t value, size_t bytes)
{
	memcpy(table + at, &value, bytes);
}

static void put_address(size_t at, uint8_t space, uint8_t bits, uint8_t access, uint64_t address)
{
	table[at] = space;
	table[at + 1] = bits;
	table[at + 3] = access;
	put_field(at + 4, address, 8);
}

static void start_spcr(void)
{
	memset(table, 0, sizeof(table));
	memcpy(table, "SPCR", 4);
	table[4] = 80;
	table[8] = 2;
	put_address(40, 1, 8, 1, 0x3e8);
	table[52] = 3; /* the 8259s and the I/O APIC */
	table[53] = 10;
	put_field(54, 10, 4);
	table[58] = 6;
}

TEST(spcr)
{
	struct serial_found found;

	start_spcr();
	assert_int_equal(serial_read_spcr(table, 80, &found), 0);
	assert_int_equal(found.at.space, UART_PORTS);
	assert_int_equal(found.at.base, 0x3e8);
	assert_int_equal(found.at.clock, 115200);
	assert_int_equal(found.baud, 57600);
	assert_int_equal(found.route, SERIAL_ROUTE_ISA);
	assert_int_equal(found.input, 10);
	table[52] = 2;
	put_field(54, 21, 4);
	assert_int_equal(serial_read_spcr(table, 80, &found), 0);
	assert_int_equal(found.route, SERIAL_ROUTE_GLOBAL);
	assert_int_equal(found.input, 21);
	table[52] = 0;
	assert_int_equal(serial_read_spcr(table, 80, &found), 0);
	assert_int_equal(found.route, SERIAL_ROUTE_NONE);
}

TEST(spcr_in_memory)
{
	/* The firmware's widths of a register and of an access (0: unknown), and the resulting
	 * stride and width. */
	static const struct {
		uint8_t bits, access, stride, width;
	} rows[] = {{8, 1, 1, 1},  {8, 0, 1, 1}, {32, 3, 4, 4},
		    {32, 0, 4, 4}, {8, 3, 4, 4}, {32, 1, 4, 1}};
	struct serial_found found;

	start_spcr();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put_address(40, 0, rows[i].bits, rows[i].access, 0xfe034000);
		assert_int_equal(serial_read_spcr(table, 80, &found), 0);
		assert_int_equal(found.at.space, UART_MEMORY);
		assert_int_equal(found.at.base, 0xfe034000);
		assert_int_equal(found.at.stride, rows[i].stride);
		assert_int_equal(found.at.width, rows[i].width);
		assert_int_equal(found.at.clock, 0);
	}
	table[8] = 3;
	put_field(76, 48000000, 4);
	assert_int_equal(serial_read_spcr(table, 80, &found), 0);
	assert_int_equal(found.at.clock, 3000000);
}

TEST(spcr_of_no_use)
{
	struct serial_found found;

	start_spcr();
	assert_int_equal(serial_read_spcr(table, 79, &found), -ENODEV);
	put_address(40, 1, 8, 1, 0);
	assert_int_equal(serial_read_spcr(table, 80, &found), -ENODEV);
	put_address(40, 1, 8, 1, 0xfffc);
	assert_int_equal(serial_read_spcr(table, 80, &found), -ENODEV);
	put_address(40, 2, 8, 1, 0x3f8); /* configuration space */
	assert_int_equal(serial_read_spcr(table, 80, &found), -ENODEV);
	start_spcr();
	table[36] = 3; /* a PL011 */
	assert_int_equal(serial_read_spcr(table, 80, &found), -ENODEV);
}

/* Writes a device of `kind` at a port to `at`. Returns where the next one goes. */
static size_t put_device(size_t at, uint16_t type, uint16_t kind, uint16_t port)
{
	memset(table + at, 0, 40);
	put_field(at + 1, 22 + 12 + 4, 2);
	table[at + 3] = 1;
	put_field(at + 12, type, 2);
	put_field(at + 14, kind, 2);
	put_field(at + 18, 22, 2);
	put_field(at + 20, 34, 2);
	put_address(at + 22, 1, 8, 1, port);
	return at + 38;
}

TEST(dbg2)
{
	struct serial_found list[4];
	size_t end = 44;

	memset(table, 0, sizeof(table));
	put_field(36, 44, 4);
	put_field(40, 3, 4);
	end = put_device(end, 0x8000, 0, 0x3f8);
	end = put_device(end, 0x8001, 0, 0x1000); /* FireWire */
	end = put_device(end, 0x8000, 0x12, 0x5a0);
	assert_int_equal(serial_read_dbg2(table, end, list, 4), 2);
	assert_int_equal(list[0].at.base, 0x3f8);
	assert_int_equal(list[1].at.base, 0x5a0);
	assert_int_equal(serial_read_dbg2(table, end, list, 1), 1);
	assert_int_equal(serial_read_dbg2(table, end - 1, list, 4), 1);
	put_field(44 + 18, 30, 2); /* its address would be behind its end */
	assert_int_equal(serial_read_dbg2(table, end, list, 4), 1);
	put_field(36, 0xfffffff0, 4);
	assert_int_equal(serial_read_dbg2(table, end, list, 4), 0);
}

/* For any table no byte outside of it is read: ASan would see it. */
TEST(noise)
{
	struct serial_found list[4];
	unsigned lines = 0;

	srand(3);
	for (unsigned i = 0; i < 200000; i++) {
		const size_t n = (size_t)rand() % 120;
		uint8_t *bytes = malloc(n + 1);

		for (size_t k = 0; k < n; k++)
			bytes[k] = (uint8_t)(rand() % 3 ? rand() % 4 : rand());
		if (n > 44 && rand() % 2) {
			const uint32_t at = 44;

			memcpy(bytes + 36, &at, sizeof(at));
		}
		lines += !serial_read_spcr(bytes, n, list);
		lines += serial_read_dbg2(bytes, n, list, 4);
		free(bytes);
	}
	assert_true(lines > 10);
}
