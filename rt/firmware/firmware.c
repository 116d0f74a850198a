// SPDX-License-Identifier: BSD-2-Clause
/* firmware.c - see firmware.h. */
#include "rt/firmware/firmware.h"

#include "arch/x86/portable/uart.h"
#include "arch/x86/world/world.h"
#include "rt/portable/keys.h"

#include <linux/errno.h>

static struct firmware_call call; /* one at a time */

static int ask_firmware(enum firmware_service service)
{
	call.service = service;
	call.result = 0;
	return world_is_lent() ? world_call(&call) : -ENODEV;
}

int firmware_keys(uint32_t ms, void (*put)(const char *bytes, size_t n))
{
	struct uart_status line;
	int err;

	call.keys = (struct firmware_keys){.ms = ms};
	if (uart_status(&line)) {
		call.keys.status_port = line.port;
		call.keys.status_bits = line.bits;
	}
	err = ask_firmware(FIRMWARE_KEYS);
	for (uint32_t i = 0; !err && i < call.keys.n; i++) {
		char bytes[KEY_BYTES_MOST];

		put(bytes, key_bytes(&call.keys.keys[i], bytes));
	}
	return err ? err : (call.keys.status & call.keys.status_bits) != 0;
}

int firmware_exit(void)
{
	return ask_firmware(FIRMWARE_EXIT);
}

int firmware_reset(bool off)
{
	call.reset.off = off;
	return ask_firmware(FIRMWARE_RESET);
}
