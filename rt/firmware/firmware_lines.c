// SPDX-License-Identifier: BSD-2-Clause
/* firmware_lines.c - see firmware_lines.h. */
#include "rt/firmware/firmware_lines.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/portable/serial.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "rt/firmware/firmware_calls.h"
#include "rt/print/print.h"

#include <stdbool.h>

#define KEPT_BYTES (256 << 10)
#define NOTE_ROOM  64 /* for how much was left out */

static uint32_t mask;
static unsigned count;
static struct {
	char *bytes;
	size_t n, lost;
} kept;

static bool is_driven_here(const struct firmware_serial_place *place)
{
	char name[SERIAL_NAME_SIZE] = "";

	if (place->kind == FIRMWARE_SERIAL_COM)
		fmt_print(name, sizeof(name), "COM%u", place->number);
	else if (place->kind == FIRMWARE_SERIAL_PCI)
		fmt_print(name, sizeof(name), SERIAL_PCI_NAME, place->bus, place->slot,
			  place->function);
	for (unsigned i = 0; i < serial_count(); i++)
		if (!strcmp(serial_at(i)->found.name, name))
			return true;
	return false;
}

static void keep_byte(char byte)
{
	if (kept.n < KEPT_BYTES - NOTE_ROOM)
		kept.bytes[kept.n++] = byte;
	else
		kept.lost++;
}

static void keep_text(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n')
			keep_byte('\r');
		keep_byte(text[i]);
	}
}

void firmware_lines_init(void)
{
	struct firmware_serial_place places[FIRMWARE_LINES_MOST];
	const int n = firmware_list_lines(places);

	for (int i = 0; i < n; i++)
		if (!is_driven_here(&places[i])) {
			mask |= 1u << i;
			count += places[i].kind != FIRMWARE_SERIAL_CONSOLE;
		}
	if (mask)
		kept.bytes = page_alloc(KEPT_BYTES / PAGE_SIZE);
	if (kept.bytes)
		print_set_lines(keep_text);
}

unsigned firmware_lines_count(void)
{
	return count;
}

uint32_t firmware_lines_mask(void)
{
	return mask;
}

void firmware_lines_flush(void)
{
	if (kept.lost)
		kept.n += (size_t)fmt_print(kept.bytes + kept.n, NOTE_ROOM,
					    "\r\n[%zu bytes left out]\r\n", kept.lost);
	for (uint32_t i = 0; kept.n && i < FIRMWARE_LINES_MOST; i++)
		if (mask >> i & 1)
			firmware_write_line(i, kept.bytes, kept.n);
	kept.n = kept.lost = 0;
}
