// SPDX-License-Identifier: BSD-2-Clause
/*
 * await.c - see await.h. UEFI specification, "Event, Timer, and Task Priority Services".
 *
 * The state of the machine after the wait must not depend on how long it waited. The firmware
 * counts its ticks all the while. Its other callbacks are held up until the wait is over, one of
 * each, and find nothing to do. Then the CPU halts until the tick by which the machine goes on, so
 * that no instruction of the wait is counted behind it.
 */
#include "boot/await.h"

#include "arch/x86/dev/fwcfg.h"
#include "boot/efi.h"
#include "boot/handed.h"
#include "boot/marked.h"
#include "include/perf0/awaited.h"
#include "lib/string.h"
#include "lib/words/number.h"

#define TICKS_PER_MS 10000 /* of 100 ns */

/* The firmware's own console reads the same line, by a callback that must not take the byte. */
static void await_byte(EFI_BOOT_SERVICES *bs)
{
	const EFI_TPL before = bs->RaiseTPL(TPL_NOTIFY);

	marked_await(AWAITED_BYTE);
	bs->RestoreTPL(before);
}

/* A multiple of `ms` that passed before the byte came does not count. */
static EFI_STATUS await_multiple(EFI_BOOT_SERVICES *bs, uint64_t ms)
{
	EFI_EVENT multiple;
	UINTN index;
	EFI_STATUS err = bs->CreateEvent(EVT_TIMER, TPL_CALLBACK, NULL, NULL, &multiple);

	if (err)
		return err;
	err = bs->SetTimer(multiple, TimerPeriodic, ms * TICKS_PER_MS);
	if (!err) {
		await_byte(bs);
		bs->CheckEvent(multiple);
		err = bs->WaitForEvent(1, &multiple, &index);
	}
	bs->CloseEvent(multiple);
	return err;
}

static EFI_STATUS take_options(EFI_SYSTEM_TABLE *st, char *text, size_t size)
{
	struct fwcfg_file file;

	if (!fwcfg_find(AWAITED_OPTIONS, &file))
		return EFI_NOT_FOUND;
	if (file.bytes >= size || !fwcfg_read(&file, 0, text, file.bytes))
		return EFI_BUFFER_TOO_SMALL;
	text[file.bytes] = '\0';
	return handed_offer(st);
}

/* The host reads this message and knows that it is the last one. */
static EFI_STATUS end_await(EFI_SYSTEM_TABLE *st, EFI_STATUS err)
{
	marked_begin(st);
	efi_printf(st,
		   "vpmu: " AWAITED_WORD "=: no options from " AWAITED_OPTIONS ": EFI error %lu\n",
		   (unsigned long)(err & ~EFI_ERROR_MASK));
	marked_end(st, err);
	return err;
}

EFI_STATUS await_options(EFI_SYSTEM_TABLE *st, char *text, size_t size)
{
	static const char word[] = AWAITED_WORD "=";
	EFI_STATUS err = EFI_SUCCESS;
	uint64_t ms;

	if (strncmp(text, word, sizeof(word) - 1))
		return EFI_SUCCESS;
	if (number_parse(text + sizeof(word) - 1, &ms) || ms > AWAITED_MS_MOST) {
		efi_printf(st, "vpmu: bad option '%s'; %s0 to %s%u, alone\n", text, word, word,
			   AWAITED_MS_MOST);
		return EFI_INVALID_PARAMETER;
	}
	if (ms)
		err = await_multiple(st->BootServices, ms);
	else
		await_byte(st->BootServices);
	if (!err)
		err = take_options(st, text, size);
	return err ? end_await(st, err) : EFI_SUCCESS;
}
