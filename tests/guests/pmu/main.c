// SPDX-License-Identifier: BSD-2-Clause
/* main.c - the sections that the load options name; without any, all of them. */
#include "tests/guests/pmu/checks.h"

#include "boot/efi.h"
#include "lib/string.h"

#define TEXT_BYTES 256

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table);

static const struct section {
	const char *name;
	void (*check)(void);
	bool switchless; /* needs no switch of all counters, and no status */
} sections[] = {
	{"enumeration", pmu_check_enumeration, false},
	{"topology", pmu_check_topology, false},
	{"counting", pmu_check_counting, false},
	{"rings", pmu_check_rings, false},
	{"masks", pmu_check_masks, false},
	{"widths", pmu_check_widths, false},
	{"overflow", pmu_check_overflow, false},
	{"freeze", pmu_check_freeze, false},
	{"fixed", pmu_check_fixed, false},
	{"reserved", pmu_check_reserved, false},
	{"rdpmc", pmu_check_rdpmc, false},
	{"amd", pmu_check_amd, false},
	{"version6", pmu_check_version6, false},
	{"pebs", pmu_check_pebs, false},
	{"ibs", pmu_check_ibs, false},
	{"lbr", pmu_check_lbr, false},
	{"brs", pmu_check_brs, true},
	{"ranges", pmu_check_ranges, false},
};
uint8_t *pmu_memory;

#define SECTIONS (sizeof(sections) / sizeof(*sections))

void world_unexpected(const struct world_trap *trap)
{
	pmu_ok(false, "vector %llu, error %llx, %lld bytes behind efi_main()",
	       (unsigned long long)trap->vector, (unsigned long long)trap->error,
	       (long long)(trap->rip - (uint64_t)efi_main));
}

/* A section is left out on a CPU that lacks a feature of it. */
static void reset_and_run(const struct section *section)
{
	if (pmu.version < 2 && !section->switchless)
		return;
	pmu_section(section->name);
	if (world_run(pmu_reset, pmu_reset))
		world_run(section->check, pmu_reset);
}

static bool run_named(const char *name, size_t n)
{
	for (size_t i = 0; i < SECTIONS; i++)
		if (strlen(sections[i].name) == n && !memcmp(sections[i].name, name, n)) {
			reset_and_run(&sections[i]);
			return true;
		}
	return false;
}

static bool run_words(const char *text)
{
	while (*text) {
		size_t n = 0;

		while (text[n] && text[n] != ' ')
			n++;
		if (n && !run_named(text, n)) {
			pmu_say("pmu: %s: no section begins so", text);
			return false;
		}
		text += n + (text[n] == ' ');
	}
	return true;
}

static void run_all(void)
{
	for (size_t i = 0; i < SECTIONS; i++)
		reset_and_run(&sections[i]);
}

static uint8_t *find_memory(EFI_SYSTEM_TABLE *st)
{
	const UINTN pages = (UINTN)PMU_LINES * 64 / 4096;
	EFI_PHYSICAL_ADDRESS at;

	if (st->BootServices->AllocatePages(AllocateAnyPages, EfiLoaderData, pages, &at))
		return NULL;
	return (uint8_t *)at;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *st)
{
	static char text[TEXT_BYTES];
	EFI_LOADED_IMAGE *self;

	if (st->BootServices->HandleProtocol(image, &efi_loaded_image_guid, (void **)&self) ||
	    efi_load_options(self, text, sizeof(text)))
		return EFI_INVALID_PARAMETER;
	st->BootServices->SetWatchdogTimer(0, 0, 0, NULL);
	pmu_find();
	pmu.cpus = efi_count_cpus(st);
	pmu_memory = find_memory(st);
	if (pmu.version < 2 && !pmu.has_brs) {
		pmu_say("pmu: it takes Intel's version 2, AMD's PerfMonV2 or Branch Sampling");
		return EFI_UNSUPPORTED;
	}
	if (!*text)
		run_all();
	else if (!run_words(text))
		return EFI_INVALID_PARAMETER;
	pmu_say("pmu: %u checks, %u failed", pmu_checks(), pmu_failures());
	return pmu_failures() ? 1 : EFI_SUCCESS;
}
