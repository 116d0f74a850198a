// SPDX-License-Identifier: BSD-2-Clause
/* ps2.c - see ps2.h. */
#include "arch/x86/portable/ps2.h"

#include "arch/x86/insn.h"

#include <linux/errno.h>

#define PORT_DATA   0x60
#define PORT_STATUS 0x64 /* a write is a command */

#define STATUS_FULL   0x01 /* the controller has a byte for us */
#define STATUS_BUSY   0x02 /* the controller has not taken the last written byte */
#define STATUS_AUX    0x20 /* the byte is a mouse's */
#define STATUS_ABSENT 0xff

#define COMMAND_READ_CONFIG  0x20
#define COMMAND_WRITE_CONFIG 0x60
#define CONFIG_INTERRUPT     0x01
#define CONFIG_TRANSLATE     0x40 /* codes of set 2 become those of set 1 */

#define MAX_POLLS 20000u /* each takes about 1 us */
#define MAX_BYTES 64     /* a keyboard never has more at once */

#define RELEASED_1 0x80 /* a key goes up. Set 1: a bit of the code; set 2: a prefix byte */
#define RELEASED_2 0xf0

/* The scan codes of Control and C in sets 2 and 1, indexed by whether the controller translates.
 * The right Control key has the same code behind E0. */
static const struct {
	uint8_t control, c;
} codes[] = {{0x14, 0x21}, {0x1d, 0x2e}};

static struct {
	bool present, translates, listens;
	uint8_t config;
	bool control;     /* the Control key is down */
	bool is_released; /* the next code is a key that goes up */
} ps2;

static bool wait_status(uint8_t mask, uint8_t wanted)
{
	for (unsigned polls = MAX_POLLS; polls; polls--)
		if ((inb(PORT_STATUS) & mask) == wanted)
			return true;
	return false;
}

static void drop_bytes(void)
{
	for (unsigned i = 0; i < MAX_BYTES && inb(PORT_STATUS) & STATUS_FULL; i++)
		inb(PORT_DATA);
}

static void write_config_byte(uint8_t config)
{
	if (!wait_status(STATUS_BUSY, 0))
		return;
	outb(PORT_STATUS, COMMAND_WRITE_CONFIG);
	if (wait_status(STATUS_BUSY, 0))
		outb(PORT_DATA, config);
}

int ps2_init(void)
{
	ps2.present = false;
	if (inb(PORT_STATUS) == STATUS_ABSENT || !wait_status(STATUS_BUSY, 0))
		return -ENODEV;
	drop_bytes();
	outb(PORT_STATUS, COMMAND_READ_CONFIG);
	if (!wait_status(STATUS_FULL, STATUS_FULL))
		return -ENODEV;
	ps2.config = inb(PORT_DATA);
	ps2.translates = ps2.config & CONFIG_TRANSLATE;
	ps2.present = true;
	return 0;
}

void ps2_listen(bool on)
{
	if (!ps2.present || ps2.listens == on)
		return;
	ps2.listens = on;
	ps2.control = ps2.is_released = false;
	if (on)
		drop_bytes();
	if (!(ps2.config & CONFIG_INTERRUPT))
		write_config_byte(on ? ps2.config | CONFIG_INTERRUPT : ps2.config);
}

/* Returns true if the code completes a ^C. */
static bool take_code(uint8_t code)
{
	bool released = ps2.is_released;

	ps2.is_released = false;
	if (ps2.translates) {
		released = code & RELEASED_1;
		code &= (uint8_t)~RELEASED_1;
	} else if (code == RELEASED_2) {
		ps2.is_released = true;
		return false;
	}
	if (code == codes[ps2.translates].control)
		ps2.control = !released;
	return code == codes[ps2.translates].c && !released && ps2.control;
}

bool ps2_is_interrupt(void)
{
	bool is_interrupt = false;

	if (!ps2.listens)
		return false;
	for (unsigned i = 0; i < MAX_BYTES; i++) {
		const uint8_t status = inb(PORT_STATUS);
		uint8_t code;

		if (!(status & STATUS_FULL))
			break;
		code = inb(PORT_DATA);
		if (!(status & STATUS_AUX))
			is_interrupt |= take_code(code);
	}
	return is_interrupt;
}
