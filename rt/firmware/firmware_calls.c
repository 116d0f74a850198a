// SPDX-License-Identifier: BSD-2-Clause
/* firmware_calls.c - see firmware_calls.h. */
#include "rt/firmware/firmware_calls.h"

#include "arch/x86/dev/hw_watchdog.h"
#include "arch/x86/dev/usb.h"
#include "arch/x86/insn.h"
#include "arch/x86/portable/serial.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/world/world.h"
#include "lib/string.h"
#include "rt/print/print.h"
#include "rt/firmware/firmware_lines.h"
#include "rt/portable/key_codes.h"

#include <linux/errno.h>

static struct firmware_call call; /* one at a time */

static int ask_firmware(enum firmware_service service)
{
	call.service = service;
	call.result = 0;
	return world_is_lent() ? world_call(&call) : -ENODEV;
}

/* While it waits for keys, the firmware also polls the line. */
static void add_status(struct firmware_keys *keys, const struct uart *uart)
{
	struct firmware_line *line = &keys->line[keys->nlines++];
	struct uart_place at;

	uart_status_place(uart, &at, &line->bits);
	line->at = at.base;
	line->width = at.space == UART_PORTS ? 0 : at.width;
}

int firmware_keys(uint32_t ms, void (*put)(const char *bytes, size_t n))
{
	int err;

	firmware_lines_flush();
	call.keys = (struct firmware_keys){.ms = ms};
	for (unsigned i = 0; i < serial_count(); i++)
		add_status(&call.keys, &serial_at(i)->uart);
	call.keys.read_from = firmware_lines_mask();
	err = ask_firmware(FIRMWARE_KEYS);
	if (!err && call.keys.nbytes)
		put((const char *)call.keys.bytes, call.keys.nbytes);
	for (uint32_t i = 0; !err && i < call.keys.n; i++) {
		char bytes[KEY_BYTES_MOST];

		put(bytes, key_bytes(&call.keys.keys[i], bytes));
	}
	return err ? err : call.keys.line_is_due != 0;
}

int firmware_list_lines(struct firmware_serial_place *places)
{
	int err;

	call.serial = (struct firmware_serial){0};
	err = ask_firmware(FIRMWARE_SERIAL);
	for (uint32_t i = 0; !err && i < call.serial.n; i++)
		places[i] = call.serial.place[i];
	return err ? err : (int)call.serial.n;
}

int firmware_write_line(uint32_t i, const char *bytes, size_t n)
{
	call.serial = (struct firmware_serial){.line = i, .data = (uintptr_t)bytes, .bytes = n};
	return ask_firmware(FIRMWARE_SERIAL);
}

/* --- Files --- */

static int ask_file(enum firmware_file_operation operation, const char *path, uint64_t offset,
		    const void *bytes, uint64_t n)
{
	const size_t length = strlen(path);

	if (length >= FIRMWARE_PATH_MOST)
		return -ENAMETOOLONG;
	memset(call.file.path, 0, sizeof(call.file.path));
	memcpy(call.file.path, path, length);
	call.file.operation = operation;
	call.file.offset = offset;
	call.file.data = (uintptr_t)bytes;
	call.file.bytes = n;
	return ask_firmware(FIRMWARE_FILE);
}

int64_t firmware_read(const char *path, uint64_t offset, void *bytes, size_t n, uint64_t *size)
{
	const int err = ask_file(FIRMWARE_READ, path, offset, bytes, n);

	*size = err ? 0 : call.file.size;
	return err ? err : (int64_t)call.file.bytes;
}

int firmware_write(const char *path, uint64_t offset, const void *bytes, size_t n)
{
	return ask_file(FIRMWARE_WRITE, path, offset, bytes, n);
}

int firmware_make_folder(const char *path)
{
	return ask_file(FIRMWARE_FOLDER, path, 0, NULL, 0);
}

int firmware_remove(const char *path)
{
	return ask_file(FIRMWARE_REMOVE, path, 0, NULL, 0);
}

int firmware_list(const char *folder, void (*entry)(void *to, const char *name), void *to)
{
	static uint8_t names[16 * 1024] __attribute__((aligned(8)));
	uint64_t first = 0, used = 0;

	do {
		const int err = ask_file(FIRMWARE_LIST, folder, first, names, sizeof(names));

		if (err)
			return err;
		used = call.file.bytes;
		for (uint64_t at = 0; at < used; first++) {
			const struct firmware_name *name = (const void *)(names + at);

			entry(to, name->name);
			at += name->size;
		}
	} while (used);
	return 0;
}

/* --- USB --- */

static bool halts_usb;

void firmware_halts_usb(void)
{
	if (!world_is_lent())
		return;
	halts_usb = true;
	out("usb=halt: %u USB controllers stand still while a command runs\n", usb_init());
}

void firmware_quiet(bool on)
{
	const unsigned failed = halts_usb ? usb_halt(on) : 0;

	if (failed)
		err("perf0: %u USB controllers do not %s\n", failed, on ? "halt" : "start again");
}

/* --- The way out --- */

static bool wants_cpus;
static unsigned returned;

bool firmware_wants_cpus(void)
{
	return __atomic_load_n(&wants_cpus, __ATOMIC_ACQUIRE);
}

void firmware_returns_cpu(void)
{
	__atomic_fetch_add(&returned, 1, __ATOMIC_RELEASE);
}

static void return_other_cpus(void)
{
	const uint64_t flags = irq_save();

	__atomic_store_n(&wants_cpus, true, __ATOMIC_RELEASE);
	for (unsigned cpu = 1; cpu < smp_ncpus(); cpu++)
		smp_kick(cpu);
	while (__atomic_load_n(&returned, __ATOMIC_ACQUIRE) + 1 < smp_ncpus()) {
		smp_serve();
		cpu_pause();
	}
	irq_restore(flags);
}

int firmware_exit(void)
{
	hw_watchdog_stop();
	firmware_lines_flush();
	if (world_is_lent())
		return_other_cpus();
	return ask_firmware(FIRMWARE_EXIT);
}

int firmware_reset(bool off)
{
	hw_watchdog_stop();
	firmware_lines_flush();
	call.reset.off = off;
	return ask_firmware(FIRMWARE_RESET);
}
