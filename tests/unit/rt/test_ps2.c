// SPDX-License-Identifier: BSD-2-Clause
/* test_ps2.c - keys and ^C: the test plays an 8042; and keys from the firmware. */
#include <string.h>

#include "tests/unit/test.h"

#include "arch/x86/portable/ps2.h"
#include "rt/portable/key_codes.h"
#include "tests/shim/ports.h"

#include <linux/errno.h>

#define CONFIG_INTERRUPT 0x01
#define CONFIG_TRANSLATE 0x40
#define FROM_MOUSE       0x100

static struct {
	bool absent, mute;
	uint8_t config, command;
	uint16_t bytes[256];
	unsigned head, tail;
} chip;

static void queue_byte(uint16_t byte)
{
	chip.bytes[chip.head++ % 256] = byte;
}

static uint8_t read_port(uint16_t port)
{
	const bool full = chip.head != chip.tail;

	if (chip.absent)
		return 0xff;
	if (port == 0x64)
		return full ? (chip.bytes[chip.tail % 256] & FROM_MOUSE ? 0x21 : 0x01) : 0;
	assert_int_equal(port, 0x60);
	return full ? (uint8_t)chip.bytes[chip.tail++ % 256] : 0;
}

static void write_port(uint16_t port, uint8_t value)
{
	if (port == 0x64) {
		chip.command = value;
		if (value == 0x20 && !chip.mute)
			queue_byte(chip.config);
	} else {
		assert_int_equal(port, 0x60);
		assert_int_equal(chip.command, 0x60);
		chip.config = value;
	}
}

static int begin_chip(uint8_t config)
{
	memset(&chip, 0, sizeof(chip));
	chip.config = config;
	shim_ports.in = read_port;
	shim_ports.out = write_port;
	ps2_listen(false);
	return ps2_init();
}

static bool press(const char *codes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		queue_byte((uint8_t)codes[i]);
	return ps2_is_interrupt();
}
#define PRESS(codes) press(codes, sizeof(codes) - 1)

TEST(no_controller)
{
	memset(&chip, 0, sizeof(chip));
	chip.absent = true;
	shim_ports.in = read_port;
	shim_ports.out = write_port;
	assert_int_equal(ps2_init(), -ENODEV);
	ps2_listen(true);
	assert_false(ps2_is_interrupt());
	chip.absent = false;
	chip.mute = true;
	assert_int_equal(ps2_init(), -ENODEV);
}

TEST(set_1)
{
	assert_int_equal(begin_chip(CONFIG_INTERRUPT | CONFIG_TRANSLATE), 0);
	assert_false(PRESS("\x1d\x2e")); /* it does not listen */
	ps2_listen(true);
	assert_false(ps2_is_interrupt()); /* and what came before is dropped */
	assert_false(PRESS("\x2e\xae"));
	assert_true(PRESS("\x1d\x2e\xae\x9d"));
	assert_false(PRESS("\x2e\xae"));
	assert_true(PRESS("\xe0\x1d\x2e"));
	assert_false(PRESS("\xae\xe0\x9d\x14\x21"));
	assert_false(PRESS("\x1d"));
	assert_true(PRESS("\x2e"));
	ps2_listen(false);
	ps2_listen(true);
	assert_false(PRESS("\x2e")); /* Control may have gone up meanwhile */
}

TEST(set_2)
{
	assert_int_equal(begin_chip(CONFIG_INTERRUPT), 0);
	ps2_listen(true);
	assert_false(PRESS("\x21\xf0\x21"));
	assert_true(PRESS("\x14\x21\xf0\x21\xf0\x14"));
	assert_false(PRESS("\x21\xf0\x21"));
	assert_false(PRESS("\x14\xf0\x21"));
	assert_true(PRESS("\xe0\x14\x21"));
	assert_false(PRESS("\xf0"));
	assert_false(PRESS("\x14\x21"));
}

TEST(a_mouse_is_no_keyboard)
{
	assert_int_equal(begin_chip(CONFIG_INTERRUPT | CONFIG_TRANSLATE), 0);
	ps2_listen(true);
	queue_byte(FROM_MOUSE | 0x1d);
	queue_byte(FROM_MOUSE | 0x2e);
	assert_false(ps2_is_interrupt());
	assert_int_equal(chip.head, chip.tail);
}

TEST(a_firmware_that_polls)
{
	assert_int_equal(begin_chip(CONFIG_TRANSLATE), 0);
	ps2_listen(true);
	assert_int_equal(chip.config, CONFIG_TRANSLATE | CONFIG_INTERRUPT);
	ps2_listen(false);
	assert_int_equal(chip.config, CONFIG_TRANSLATE);
}

static void check_key(uint16_t scan, uint16_t unicode, uint32_t shift, const char *wanted)
{
	const struct firmware_key key = {scan, unicode, shift};
	char bytes[KEY_BYTES_MOST];

	assert_int_equal(key_bytes(&key, bytes), strlen(wanted));
	assert_string_equal(bytes, wanted);
}

TEST(keys_of_the_firmware)
{
	check_key(0, 'a', 0, "a");
	check_key(0, '\r', 0, "\r");
	check_key(0, '\b', 0, "\b");
	check_key(0, 'c', 0x80000008, "\003");
	check_key(0, 'C', 0x80000004, "\003");
	check_key(0, 3, 0, "\003");
	check_key(0, '1', 0x80000008, "1");
	check_key(0, 0xe4, 0, "\303\244");
	check_key(0, 0x20ac, 0, "\342\202\254");
	check_key(0, 0xd800, 0, "");
	check_key(0, 0, 0x80000001, ""); /* Shift alone */
	check_key(0x01, 0, 0, "\033[A");
	check_key(0x0a, 0, 0, "\033[6~");
	check_key(0x0b, 0, 0, "\033OP");
	check_key(0x16, 0, 0, "\033[24~");
	check_key(0x17, 0, 0, ""); /* ESC begins what a terminal sends, and is none by itself */
	check_key(0xffff, 0, 0, "");
}
