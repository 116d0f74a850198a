// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf0.c - the loader's half of perf0.efi: collects the facts that only the firmware can tell,
 * leaves it (mode=own) or stays beside it (mode=borrow), and calls the runtime in the upper half of
 * the address space, on a stack of its own.
 *
 * Everything that outlives the boot services is static, that is, inside of the image.
 */
#include "boot/perf0.h"

#include "arch/x86/insn.h"
#include "boot/borrow.h"
#include "boot/efi_memory.h"
#include "boot/screens.h"
#include "boot/start.h"
#include "boot/stash_memory.h"
#include "lib/printf.h"
#include "lib/string.h"

#include <linux/errno.h>
#include <stdbool.h>

#define PAGE          4096
#define EXIT_ATTEMPTS 8

static EFI_GUID acpi10_guid = ACPI_TABLE_GUID;
static EFI_GUID smbios3_guid = SMBIOS3_TABLE_GUID;
static EFI_GUID smbios_guid = SMBIOS_TABLE_GUID;

static uint64_t find_table(const EFI_SYSTEM_TABLE *st, const EFI_GUID *guid)
{
	return (uintptr_t)efi_find_table(st, guid);
}

static void note_acpi(EFI_SYSTEM_TABLE *st)
{
	boot_handoff.acpi_rsdp = find_table(st, &efi_acpi20_guid);
	if (!boot_handoff.acpi_rsdp)
		boot_handoff.acpi_rsdp = find_table(st, &acpi10_guid);
}

static void note_smbios(EFI_SYSTEM_TABLE *st)
{
	boot_handoff.smbios = find_table(st, &smbios3_guid);
	if (!boot_handoff.smbios)
		boot_handoff.smbios = find_table(st, &smbios_guid);
}

static void note_date(EFI_SYSTEM_TABLE *st)
{
	EFI_TIME now;

	if (!memory_is_callable(st, (const void *)st->RuntimeServices->GetTime)) {
		efi_print(st, "perf0: the firmware's runtime services are not in its memory, as "
			      "behind SetVirtualAddressMap: none is called\n");
		return;
	}
	if (!EFI_ERROR(st->RuntimeServices->GetTime(&now, NULL)))
		fmt_print(boot_handoff.date, sizeof(boot_handoff.date), "%04u%02u%02u",
			  now.Year % 10000u, now.Month % 100u, now.Day % 100u);
}

/*
 * Firmware of several vendors passes options that are not text. They are ignored, so that a stick
 * runs its perf0.cfg; a text that is too long is a command line, and is refused.
 */
static EFI_STATUS note_options(const EFI_LOADED_IMAGE *image, EFI_SYSTEM_TABLE *st)
{
	const int err = efi_load_options(image, boot_handoff.args, sizeof(boot_handoff.args));

	if (!err)
		return EFI_SUCCESS;
	efi_tell_bad_options(st, "perf0", image, sizeof(boot_handoff.args));
	if (err == -E2BIG)
		return EFI_INVALID_PARAMETER;
	efi_print(st, "perf0: they are ignored\n");
	return EFI_SUCCESS;
}

static EFI_STATUS note_image(EFI_HANDLE self, EFI_SYSTEM_TABLE *st)
{
	EFI_LOADED_IMAGE *image;
	EFI_STATUS status =
		st->BootServices->HandleProtocol(self, &efi_loaded_image_guid, (void **)&image);

	if (EFI_ERROR(status)) {
		efi_print(st, "perf0: the firmware does not know this image\n");
		return status;
	}
	boot_handoff.image_base = (uintptr_t)image->ImageBase;
	boot_handoff.image_size = (image->ImageSize + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	return note_options(image, st);
}

/* --- mode=own --- */

/* The first attempt may itself change the map, which makes its key stale. Output after a failed
 * attempt reaches the screen where the firmware still has its console. */
static EFI_STATUS leave_boot_services(EFI_HANDLE self, EFI_SYSTEM_TABLE *st)
{
	EFI_STATUS status = EFI_SUCCESS;

	for (int i = 0; i < EXIT_ATTEMPTS; i++) {
		status = memory_read_map(st);
		if (EFI_ERROR(status))
			return status;
		status = st->BootServices->ExitBootServices(self, memory_map_key());
		if (!EFI_ERROR(status))
			return status;
	}
	efi_printf(st,
		   "perf0: the firmware does not let go of the machine (ExitBootServices: EFI "
		   "error %lu); try mode=borrow\n",
		   (unsigned long)(status & ~EFI_ERROR_MASK));
	return status;
}

static EFI_STATUS own_machine(EFI_HANDLE self, EFI_SYSTEM_TABLE *st)
{
	EFI_STATUS status = leave_boot_services(self, st);

	if (EFI_ERROR(status))
		return status;
	irq_disable();
	boot_handoff.load_end_tsc = rdtsc();
	memory_note(&boot_handoff);
	start_own();
}

/* --- The choice of the mode --- */

/* Options stand in front of the commands, and have a `=` in them. */
static bool has_option(const char *wanted)
{
	const size_t n = strlen(wanted);

	for (const char *word = boot_handoff.args; *word;) {
		const char *end = strchr(word, ' '), *equals = strchr(word, '=');

		end = end ? end : word + strlen(word);
		if (word == end) {
			word++;
			continue;
		}
		if (!equals || equals > end)
			return false;
		if ((size_t)(end - word) == n && !strncmp(word, wanted, n))
			return true;
		word = end;
	}
	return false;
}

/* A host that reads frames, or that saves the machine, needs the machine for itself. */
static bool is_to_be_owned(void)
{
	if (has_option("mode=borrow"))
		return false;
	return has_option("mode=own") || has_option("text=framed") || has_option("await=1");
}

/*
 * Results of the start before, which are still in memory, are written to the volume by the
 * firmware: this start borrows the machine. Otherwise memory for this start's results is reserved.
 */
static bool is_to_write_results(EFI_SYSTEM_TABLE *st)
{
	if (!has_option("results=memory"))
		return false;
	if (stash_find(st, &boot_handoff))
		return true;
	stash_reserve(st, &boot_handoff);
	return false;
}

EFI_STATUS efi_start(EFI_HANDLE self, EFI_SYSTEM_TABLE *st)
{
	note_acpi(st);
	note_smbios(st);
	note_date(st);
	screens_note(st, &boot_handoff);
	if (is_to_be_owned() && !is_to_write_results(st))
		return own_machine(self, st);
	if (!boot_handoff.stash)
		stash_find(st, &boot_handoff);
	start_note_stack();
	return borrow_machine(self, st, &boot_handoff, start_stack_top(), start_runtime);
}

/* crt0 of GNU-EFI relocates the image and calls with the System V ABI. */
EFI_STATUS efi_main(EFI_HANDLE self, EFI_SYSTEM_TABLE *st);

EFI_STATUS efi_main(EFI_HANDLE self, EFI_SYSTEM_TABLE *st)
{
	EFI_STATUS status = note_image(self, st);

	return EFI_ERROR(status) ? status : efi_start(self, st);
}
