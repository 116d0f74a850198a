// SPDX-License-Identifier: BSD-2-Clause
/*
 * door.c - the loader's half of perf0.bz: collects what the boot parameters tell, and starts the
 * runtime, which then owns the machine. head.S calls on a stack of this file; the tables are the
 * loader's, which map the image, the parameters and the command line and maybe nothing else.
 */
#include "arch/x86/insn.h"
#include "boot/bz/bios_tables.h"
#include "boot/bz/door.h"
#include "boot/bz/bz_layout.h"
#include "boot/bz/way_home.h"
#include "boot/bz/loader_facts.h"
#include "boot/bz/low_map.h"
#include "boot/bz/say.h"
#include "boot/perf0.h"
#include "boot/relocate.h"
#include "boot/start.h"
#include "lib/string.h"

#include <linux/errno.h>

/* Ranges that this file adds to those of the loader: image, archive, parameters, the way home. */
#define RANGES_OF_DOOR 80

/* Intel 9 Series Chipset data sheet, "Reset Control Register". */
#define RESET_CONTROL 0xcf9
#define RESET_SYSTEM  2
#define RESET_CPU     4

extern char __image_end[] __attribute__((visibility("hidden")));

static void note_image(void)
{
	boot_handoff.image_base = (uintptr_t)ImageBase;
	boot_handoff.image_size = (uint64_t)(__image_end - ImageBase);
}

static void note_options(const struct boot_params *params)
{
	const int err = facts_options(params, boot_handoff.args, sizeof(boot_handoff.args),
				      low_map_reach());

	if (err == -E2BIG)
		say_and_halt("perf0: the command line has more than %d bytes; the machine is "
			     "halted\n",
			     HANDOFF_MAX_ARGS - 1);
	if (err)
		say_and_halt("perf0: the command line is not below 4 GiB; the machine is halted\n");
}

static void note_tables(const struct boot_params *params, uint64_t reach)
{
	boot_handoff.acpi_rsdp = facts_rsdp(params, reach);
	if (!boot_handoff.acpi_rsdp)
		boot_handoff.acpi_rsdp = bios_find_rsdp();
	boot_handoff.smbios = facts_smbios(params, reach);
	if (!boot_handoff.smbios)
		boot_handoff.smbios = bios_find_smbios();
}

/* Resets the machine, whose firmware then starts what it always starts. */
static _Noreturn void reset_machine(void)
{
	for (;;) {
		outb(RESET_CONTROL, RESET_SYSTEM);
		outb(RESET_CONTROL, RESET_SYSTEM | RESET_CPU);
		cpu_pause();
	}
}

static void note_home(const struct boot_params *params, struct home_ranges *ranges, uint64_t reach)
{
	struct reason why;

	if (!home_is_asked(&boot_handoff))
		return;
	if (home_prepare(params, &boot_handoff, LOW_MAP_LEAST, ranges, &why)) {
		say("perf0: there is no way home to Linux: %s; the machine is reset\n", why.text);
		reset_machine();
	}
	map_note(&boot_handoff, ranges->range, ranges->n, reach);
}

static void note_archive(const struct boot_params *params, struct home_ranges *ranges)
{
	uint64_t at, bytes;

	if (!facts_archive(params, &at, &bytes))
		return;
	ranges->range[ranges->n++] = (struct map_range){at, bytes, MAP_KEPT};
	boot_handoff.archive = at;
	boot_handoff.archive_bytes = bytes;
}

/* The memory of the archive stays as it is: only page_alloc()'s memory is ever written. */
static void note_memory(const struct boot_params *params, uint64_t reach)
{
	static struct map_range range[MAP_RANGES_MOST];
	struct home_ranges ranges = {.range = range, .most = MAP_RANGES_MOST};

	ranges.n = facts_memory(params, range, MAP_RANGES_MOST - RANGES_OF_DOOR, reach);
	range[ranges.n++] =
		(struct map_range){boot_handoff.image_base, boot_handoff.image_size, MAP_IMAGE};
	note_archive(params, &ranges);
	home_keep_parameters(params, reach, &ranges);
	map_note(&boot_handoff, ranges.range, ranges.n, reach);
	if (boot_handoff.archive &&
	    !map_keeps(&boot_handoff, boot_handoff.archive, boot_handoff.archive_bytes)) {
		say("perf0: the initrd is not in the machine's memory, and is ignored\n");
		boot_handoff.archive = boot_handoff.archive_bytes = 0;
	}
	note_home(params, &ranges, reach);
}

_Noreturn void bz_start(const struct boot_params *of_loader)
{
	static struct boot_params params;
	uint64_t reach;

	relocate_again(ImageBase, (uintptr_t)ImageBase);
	memcpy(&params, of_loader, sizeof(params));
	say_begin(facts_has_text(&params));
	note_image();
	note_options(&params);
	reach = low_map_load();
	note_tables(&params, reach);
	note_memory(&params, reach);
	facts_screen(&params, &boot_handoff);
	boot_handoff.load_end_tsc = rdtsc();
	start_own();
}

EFI_STATUS bz_handover(EFI_HANDLE self, EFI_SYSTEM_TABLE *st, const struct boot_params *params)
{
	relocate_again(ImageBase, (uintptr_t)ImageBase);
	note_image();
	if (facts_options(params, boot_handoff.args, sizeof(boot_handoff.args), UINT64_MAX)) {
		efi_printf(st, "perf0: the command line has more than %d bytes\n",
			   HANDOFF_MAX_ARGS - 1);
		return EFI_INVALID_PARAMETER;
	}
	return efi_start(self, st);
}
