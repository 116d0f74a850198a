// SPDX-License-Identifier: BSD-2-Clause
/*
 * vpmu_door.c - the loader's half of vpmu.bz: the options of boot/vpmu.c, but those that need UEFI.
 * PATH is a file of the initrd, a cpio archive, which the started image gets, too. It is a kernel
 * or perf0.bz, and continues as a guest.
 */
#include "arch/x86/insn.h"
#include "arch/x86/portable/madt.h"
#include "boot/bz/bios_tables.h"
#include "boot/bz/door.h"
#include "boot/bz/loader_facts.h"
#include "boot/bz/low_map.h"
#include "boot/bz/say.h"
#include "boot/bz/start_kernel.h"
#include "boot/relocate.h"
#include "boot/sleep.h"
#include "boot/vpmu_entry.h"
#include "boot/vpmu_options.h"
#include "boot/vpmu_take.h"
#include "include/perf0/marks.h"
#include "lib/format/cpio.h"
#include "lib/format/cpio_read.h"
#include "lib/string.h"

#include <linux/errno.h>

#define PAGE        4096ull
#define CPUS_MAX    256u
#define KEPT_RANGES 8 /* that vpmu adds: its own, and those of the loader while it runs */

extern char __image_end[] __attribute__((visibility("hidden")));

static struct {
	struct boot_params ours, next;
	struct map_range ranges[MAP_RANGES_MOST];
	size_t n;
	size_t lasting; /* from here on the ranges are the loader's, and free for the image */
	uint64_t reach; /* memory below it is mapped */
} door;

static char text[VPMU_OPTIONS_MAX];

static _Noreturn void start_nothing(const char *why)
{
	say_and_halt("vpmu: %s\n" VPMU_STARTS_NOTHING "\n", why);
}

/* --- Memory --- */

/* Ranges of the loader's come last, so that they are easily dropped. */
static void keep_range(uint64_t base, uint64_t bytes, enum map_kind kind)
{
	if (door.n < MAP_RANGES_MOST)
		door.ranges[door.n++] = (struct map_range){base, bytes, kind};
}

static void note_memory(const struct boot_params *params)
{
	uint64_t at, bytes;

	door.n = facts_memory(params, door.ranges, MAP_RANGES_MOST - KEPT_RANGES, door.reach);
	if (facts_archive(params, &at, &bytes))
		keep_range(at, bytes, MAP_KEPT);
	door.lasting = door.n;
	keep_range((uintptr_t)ImageBase, (uint64_t)(__image_end - ImageBase), MAP_IMAGE);
}

static uint64_t reserve_for_vpmu(uint64_t end, uint64_t pages)
{
	const uint64_t at = map_find(door.ranges, door.n, end, pages * PAGE, PAGE);

	if (!at || door.n == MAP_RANGES_MOST)
		return 0;
	memmove(&door.ranges[door.lasting + 1], &door.ranges[door.lasting],
		(door.n - door.lasting) * sizeof(door.ranges[0]));
	door.ranges[door.lasting++] = (struct map_range){at, pages * PAGE, MAP_RESERVED};
	door.n++;
	return at;
}

/* --- The machine --- */

static void say_text(const char *message)
{
	say("%s", message);
}

static unsigned list_cpus(const uint8_t *rsdp, uint32_t *apic_ids, unsigned most)
{
	const uint32_t own = insn_cpuid(1, 0).ebx >> 24;
	const uint8_t *madt = sleep_find_table(rsdp, "APIC");
	uint32_t bytes, all[CPUS_MAX];
	unsigned n = 0;
	size_t listed;

	if (!madt)
		return 0;
	memcpy(&bytes, madt + 4, sizeof(bytes));
	listed = madt_apic_ids(madt, bytes, all, CPUS_MAX);
	for (size_t i = 0; i < listed && i < CPUS_MAX && n < most; i++)
		if (all[i] != own)
			apic_ids[n++] = all[i];
	return n;
}

static void take_machine(struct vpmu_config *config)
{
	static uint32_t apic_ids[CPUS_MAX - 1];
	const uint8_t *rsdp = (const uint8_t *)(uintptr_t)door.ours.acpi_rsdp_addr;
	const struct vpmu_platform platform = {
		.reserve = reserve_for_vpmu,
		.print = say_text,
		.rsdp = rsdp,
		.others = list_cpus(rsdp, apic_ids, CPUS_MAX - 1),
		.apic_ids = apic_ids,
	};

	if (vpmu_take_machine(&platform, config))
		say_and_halt(VPMU_STARTS_NOTHING "\n");
}

/* --- The image to start --- */

/* An archive with nothing else than the image is not handed on. */
static bool has_more(const void *archive, size_t size, const struct cpio_member *image)
{
	struct cpio_reader reader = {.bytes = archive, .size = size};
	struct cpio_member member;

	while (cpio_next(&reader, &member) > 0)
		if ((member.mode & CPIO_KIND) != CPIO_DIRECTORY && member.content != image->content)
			return true;
	return false;
}

static void find_image(const struct vpmu_boot *boot, struct kernel_file *file)
{
	struct cpio_member member;
	static struct reason why;
	uint64_t at, bytes;

	if (!facts_archive(&door.ours, &at, &bytes) || at > door.reach || bytes > door.reach - at)
		start_nothing("there is no initrd with the image to start");
	switch (cpio_find((const void *)(uintptr_t)at, bytes, boot->path, &member)) {
	case 0:
		break;
	case -ENOENT:
		say("vpmu: no file %s in the initrd\n", boot->path);
		say_and_halt(VPMU_STARTS_NOTHING "\n");
	default:
		start_nothing("the initrd is no cpio archive (newc), or is cut off");
	}
	if (!has_more((const void *)(uintptr_t)at, bytes, &member))
		door.ours.hdr.ramdisk_image = door.ours.hdr.ramdisk_size = 0;
	*file = (struct kernel_file){member.content, member.bytes, boot->args};
	if (!kernel_check(file, &why))
		return;
	say("vpmu: %s: %s\n", boot->path, why.text);
	say_and_halt(VPMU_STARTS_NOTHING "\n");
}

static _Noreturn void start_image(const struct kernel_file *file)
{
	const uint64_t at = map_find(door.ranges, door.n, LOW_MAP_LEAST, kernel_bytes(file),
				     kernel_align(file));

	if (!at)
		start_nothing("there is no memory below 4 GiB for the image");
	kernel_fill(&door.next, file, &door.ours, door.ranges, door.lasting);
	kernel_start(file, at, &door.next);
}

static void parse_door_options(struct vpmu_boot *boot)
{
	static struct reason why;

	const int err = vpmu_boot_options(text, boot, &why);

	if (err == -EINVAL)
		say("vpmu: %s; %s\n", why.text, VPMU_USAGE);
	else if (err)
		say("vpmu: %s\n", why.text);
	if (err)
		say_and_halt(VPMU_STARTS_NOTHING "\n");
	if (boot->config.marked)
		start_nothing("text=marked needs UEFI");
	if (boot->config.faults.exit)
		start_nothing("fault=exit needs UEFI");
}

_Noreturn void bz_start(const struct boot_params *params)
{
	struct kernel_file file;
	struct vpmu_boot boot;

	relocate_again(ImageBase, (uintptr_t)ImageBase);
	memcpy(&door.ours, params, sizeof(door.ours));
	say_begin(facts_has_text(params));
	if (facts_options(params, text, sizeof(text), low_map_reach()))
		start_nothing("the options are too long, or not below 4 GiB");
	door.reach = low_map_load();
	door.ours.acpi_rsdp_addr = facts_rsdp(&door.ours, door.reach);
	if (!door.ours.acpi_rsdp_addr)
		door.ours.acpi_rsdp_addr = bios_find_rsdp();
	note_memory(&door.ours);
	parse_door_options(&boot);
	find_image(&boot, &file);
	take_machine(&boot.config);
	start_image(&file);
}

EFI_STATUS bz_handover(EFI_HANDLE self, EFI_SYSTEM_TABLE *st, const struct boot_params *params)
{
	relocate_again(ImageBase, (uintptr_t)ImageBase);
	if (facts_options(params, text, sizeof(text), UINT64_MAX)) {
		efi_print(st, "vpmu: the options are too long\n");
		return EFI_INVALID_PARAMETER;
	}
	return vpmu_efi_start(self, st, text);
}
