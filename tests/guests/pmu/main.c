// SPDX-License-Identifier: BSD-2-Clause
/* main.c - the sections that the load options name; without any, all of them. */
#include "tests/guests/pmu/pmu.h"

#include "boot/efi.h"
#include "lib/string.h"

#define TEXT_BYTES 256

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table);

static const struct section {
	const char *name;
	void (*check)(void);
} sections[] = {
	{"enumeration", pmu_check_enumeration},
	{"topology", pmu_check_topology},
	{"counting", pmu_check_counting},
	{"rings", pmu_check_rings},
	{"masks", pmu_check_masks},
	{"widths", pmu_check_widths},
	{"overflow", pmu_check_overflow},
	{"freeze", pmu_check_freeze},
	{"fixed", pmu_check_fixed},
	{"reserved", pmu_check_reserved},
	{"rdpmc", pmu_check_rdpmc},
	{"amd", pmu_check_amd},
	{"version6", pmu_check_version6},
	{"pebs", pmu_check_pebs},
	{"ibs", pmu_check_ibs},
	{"lbr", pmu_check_lbr},
};
#define SECTIONS (sizeof(sections) / sizeof(*sections))

void world_unexpected(const struct world_trap *trap)
{
	pmu_ok(false, "vector %llu, error %llx, %lld bytes behind efi_main()",
	       (unsigned long long)trap->vector, (unsigned long long)trap->error,
	       (long long)(trap->rip - (uint64_t)efi_main));
}

static void reset_and_run(const struct section *section)
{
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
	if (pmu.version < 2) {
		pmu_say("pmu: it takes Intel's version 2, or AMD's PerfMonV2");
		return EFI_UNSUPPORTED;
	}
	if (!*text)
		run_all();
	else if (!run_words(text))
		return EFI_INVALID_PARAMETER;
	pmu_say("pmu: %u checks, %u failed", pmu_checks(), pmu_failures());
	return pmu_failures() ? 1 : EFI_SUCCESS;
}
