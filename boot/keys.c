// SPDX-License-Identifier: BSD-2-Clause
/* keys.c - see keys.h. UEFI specification, "Console I/O Protocol". */
#include "boot/keys.h"

#include "arch/x86/insn.h"
#include "boot/lines.h"

#include <linux/errno.h>
#include <stdbool.h>

#define TICK_MS     10
#define UNITS_OF_MS 10000 /* of 100 ns */

static EFI_GUID input_ex_guid = EFI_SIMPLE_TEXT_INPUT_EX_PROTOCOL_GUID;
/* EDK2 marks the devices that are part of the console. */
static EFI_GUID console_in_guid = {
	0xd3b36f2b, 0xd551, 0x11d4, {0x9a, 0x46, 0x00, 0x90, 0x27, 0x3f, 0xc1, 0x4d}};

static EFI_SIMPLE_TEXT_INPUT_EX_PROTOCOL *input_ex; /* NULL: there is none */
static EFI_EVENT tick;

/*
 * Counts the keyboards: EDK2's devices of the console, or else the console itself, if there is one.
 */
static unsigned count_keyboards(EFI_SYSTEM_TABLE *st)
{
	EFI_BOOT_SERVICES *bs = st->BootServices;
	EFI_HANDLE *handles;
	UINTN n;

	if (bs->LocateHandleBuffer(ByProtocol, &console_in_guid, NULL, &n, &handles))
		return st->ConIn ? 1 : 0;
	bs->FreePool(handles);
	return (unsigned)n;
}

unsigned keys_begin(EFI_SYSTEM_TABLE *st)
{
	EFI_BOOT_SERVICES *bs = st->BootServices;

	if (!st->ConIn ||
	    bs->HandleProtocol(st->ConsoleInHandle, &input_ex_guid, (void **)&input_ex))
		input_ex = NULL;
	if (bs->CreateEvent(EVT_TIMER, 0, NULL, NULL, &tick))
		tick = NULL;
	else
		bs->SetTimer(tick, TimerPeriodic, (UINT64)TICK_MS * UNITS_OF_MS);
	return count_keyboards(st);
}

void keys_end(EFI_SYSTEM_TABLE *st)
{
	if (tick)
		st->BootServices->CloseEvent(tick);
}

/* False: there is no key. */
static bool read_key(EFI_SYSTEM_TABLE *st, struct firmware_key *key)
{
	EFI_KEY_DATA data = {{0, 0}, {0, 0}};

	if (!st->ConIn)
		return false;
	if (input_ex ? input_ex->ReadKeyStrokeEx(input_ex, &data)
		     : st->ConIn->ReadKeyStroke(st->ConIn, &data.Key))
		return false;
	*key = (struct firmware_key){data.Key.ScanCode, data.Key.UnicodeChar,
				     data.KeyState.KeyShiftState};
	return true;
}

static bool is_line_due(const struct firmware_line *line)
{
	uint32_t status;

	if (!line->width)
		status = inb((uint16_t)line->at);
	else
		status = line->width == 4 ? mmio_read32(line->at) : mmio_read8(line->at);
	return status & line->bits;
}

static bool has_answer(EFI_SYSTEM_TABLE *st, struct firmware_keys *keys)
{
	while (keys->n < FIRMWARE_KEYS_MOST && read_key(st, &keys->keys[keys->n]))
		keys->n++;
	for (uint32_t i = 0; i < keys->nlines && !keys->line_is_due; i++)
		keys->line_is_due = is_line_due(&keys->line[i]);
	if (keys->read_from)
		keys->nbytes = lines_read(keys->read_from, keys->bytes, FIRMWARE_BYTES_MOST);
	return keys->n || keys->line_is_due || keys->nbytes;
}

/* The CPU rests until an event comes or a tick is over. */
static void rest_a_tick(EFI_SYSTEM_TABLE *st)
{
	EFI_EVENT events[2] = {tick, NULL};
	UINTN n = 1, which;

	if (!tick) {
		st->BootServices->Stall(TICK_MS * 1000);
		return;
	}
	if (st->ConIn)
		events[n++] = input_ex ? input_ex->WaitForKeyEx : st->ConIn->WaitForKey;
	st->BootServices->WaitForEvent(n, events, &which);
}

int keys_wait(EFI_SYSTEM_TABLE *st, struct firmware_keys *keys)
{
	keys->n = 0;
	keys->line_is_due = 0;
	keys->nbytes = 0;
	for (uint32_t ms = 0; !has_answer(st, keys) && ms < keys->ms; ms += TICK_MS)
		rest_a_tick(st);
	return 0;
}
