// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf0.c - the loader's half of perf0.efi: asks the firmware what only it can tell, leaves it, and
 * calls the runtime in the upper half of the address space, on a stack of our own.
 *
 * Everything that outlives the boot services is static, that is, inside of the image. Nothing is
 * allocated: the memory map cannot change under our hands.
 */
#include "arch/x86/insn.h"
#include "arch/x86/mem/direct.h"
#include "arch/x86/msr.h"
#include "boot/efi.h"
#include "boot/relocate.h"
#include "include/perf0/handoff.h"
#include "lib/string.h"

#include <stdbool.h>

#define PAGE          4096
#define STACK_BYTES   (64 * 1024)
#define MAP_BYTES     (64 * 1024)
#define EXIT_ATTEMPTS 8

static struct handoff handoff;
static uint8_t stack[PAGE + STACK_BYTES] __attribute__((aligned(PAGE))); /* guard page first */

/* The firmware's memory map. */
static struct {
	uint8_t bytes[MAP_BYTES] __attribute__((aligned(8)));
	UINTN used, key, descriptor_size;
} map;

static EFI_GUID acpi20_guid = ACPI_20_TABLE_GUID;
static EFI_GUID acpi10_guid = ACPI_TABLE_GUID;
static EFI_GUID smbios3_guid = SMBIOS3_TABLE_GUID;
static EFI_GUID smbios_guid = SMBIOS_TABLE_GUID;
static EFI_GUID cpu_hook_guid = CPU_HOOK_GUID;
static EFI_GUID gop_guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;

/* UEFI specification, "Memory Type Usage after ExitBootServices()". */
static const uint8_t types[EfiMaxMemoryType] = {
	[EfiReservedMemoryType] = HANDOFF_MEM_RESERVED,
	[EfiLoaderCode] = HANDOFF_MEM_FREE,
	[EfiLoaderData] = HANDOFF_MEM_FREE,
	[EfiBootServicesCode] = HANDOFF_MEM_FREE,
	[EfiBootServicesData] = HANDOFF_MEM_FREE,
	[EfiRuntimeServicesCode] = HANDOFF_MEM_RESERVED,
	[EfiRuntimeServicesData] = HANDOFF_MEM_RESERVED,
	[EfiConventionalMemory] = HANDOFF_MEM_FREE,
	[EfiUnusableMemory] = HANDOFF_MEM_RESERVED,
	[EfiACPIReclaimMemory] = HANDOFF_MEM_ACPI,
	[EfiACPIMemoryNVS] = HANDOFF_MEM_ACPI,
	[EfiMemoryMappedIO] = HANDOFF_MEM_MMIO,
	[EfiMemoryMappedIOPortSpace] = HANDOFF_MEM_RESERVED,
	[EfiPalCode] = HANDOFF_MEM_RESERVED,
};

static uint32_t handoff_type(uint32_t efi_type)
{
	return efi_type < EfiMaxMemoryType ? types[efi_type] : HANDOFF_MEM_RESERVED;
}

static bool same_guid(const EFI_GUID *a, const EFI_GUID *b)
{
	const uint64_t *p = (const uint64_t *)a, *q = (const uint64_t *)b;

	return p[0] == q[0] && p[1] == q[1];
}

static uint64_t find_table(EFI_SYSTEM_TABLE *st, const EFI_GUID *guid)
{
	for (UINTN i = 0; i < st->NumberOfTableEntries; i++)
		if (same_guid(&st->ConfigurationTable[i].VendorGuid, guid))
			return (uintptr_t)st->ConfigurationTable[i].VendorTable;
	return 0;
}

static void note_acpi(EFI_SYSTEM_TABLE *st)
{
	handoff.acpi_rsdp = find_table(st, &acpi20_guid);
	if (!handoff.acpi_rsdp)
		handoff.acpi_rsdp = find_table(st, &acpi10_guid);
}

static void note_smbios(EFI_SYSTEM_TABLE *st)
{
	handoff.smbios = find_table(st, &smbios3_guid);
	if (!handoff.smbios)
		handoff.smbios = find_table(st, &smbios_guid);
}

static void note_cpu_hook(EFI_SYSTEM_TABLE *st)
{
	const struct cpu_hook_table *table = (void *)find_table(st, &cpu_hook_guid);

	if (table)
		handoff.cpu_hook = table->hook;
}

/* Only modes with 32-bit pixels that lie in memory; without one there is no framebuffer. */
static void note_framebuffer(EFI_SYSTEM_TABLE *st)
{
	EFI_GRAPHICS_OUTPUT_PROTOCOL *gop;
	const EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *info;

	if (EFI_ERROR(st->BootServices->LocateProtocol(&gop_guid, NULL, (void **)&gop)))
		return;
	if (!gop->Mode || !gop->Mode->Info)
		return;
	info = gop->Mode->Info;
	if (info->PixelFormat != PixelRedGreenBlueReserved8BitPerColor &&
	    info->PixelFormat != PixelBlueGreenRedReserved8BitPerColor)
		return;
	handoff.fb = (struct handoff_framebuffer){
		.base = gop->Mode->FrameBufferBase,
		.width = info->HorizontalResolution,
		.height = info->VerticalResolution,
		.stride = info->PixelsPerScanLine,
		.bgr = info->PixelFormat == PixelBlueGreenRedReserved8BitPerColor,
	};
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
	handoff.image_base = (uintptr_t)image->ImageBase;
	handoff.image_size = (image->ImageSize + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	handoff.stack_guard = (uintptr_t)stack;
	handoff.stack_bytes = STACK_BYTES;
	if (efi_load_options(image, handoff.args, sizeof(handoff.args))) {
		efi_tell_bad_options(st, "perf0", image, sizeof(handoff.args));
		return EFI_INVALID_PARAMETER;
	}
	return EFI_SUCCESS;
}

static EFI_STATUS get_map(EFI_SYSTEM_TABLE *st)
{
	UINT32 version;

	map.used = sizeof(map.bytes);
	return st->BootServices->GetMemoryMap(&map.used, (EFI_MEMORY_DESCRIPTOR *)map.bytes,
					      &map.key, &map.descriptor_size, &version);
}

/*
 * A first attempt may itself change the map: its key is stale then, and from there on the firmware
 * has no console any more to complain on.
 */
static EFI_STATUS leave_boot_services(EFI_HANDLE self, EFI_SYSTEM_TABLE *st)
{
	EFI_STATUS status = get_map(st);

	if (EFI_ERROR(status)) {
		efi_printf(st, "perf0: the memory map needs %lu bytes, room for %lu\n",
			   (unsigned long)map.used, (unsigned long)sizeof(map.bytes));
		return status;
	}
	status = st->BootServices->ExitBootServices(self, map.key);
	for (int i = 1; i < EXIT_ATTEMPTS && EFI_ERROR(status); i++) {
		status = get_map(st);
		if (!EFI_ERROR(status))
			status = st->BootServices->ExitBootServices(self, map.key);
	}
	return status;
}

/* Empty pieces are left out, and so is what finds no room: memory not listed is not used. */
static void add_memory(uint64_t base, uint64_t end, uint32_t type, uint32_t efi_type)
{
	if (base >= end || handoff.nmem == HANDOFF_MAX_MEM)
		return;
	handoff.mem[handoff.nmem++] =
		(struct handoff_mem){base, (end - base) / PAGE, type, efi_type};
}

/* One descriptor, less the pages of the image. */
static void add_around_image(const EFI_MEMORY_DESCRIPTOR *d)
{
	uint64_t image = handoff.image_base, image_end = image + handoff.image_size;
	uint64_t base = d->PhysicalStart, end = base + d->NumberOfPages * PAGE;

	add_memory(base, end < image ? end : image, handoff_type(d->Type), d->Type);
	add_memory(base > image_end ? base : image_end, end, handoff_type(d->Type), d->Type);
}

static void sort_map(void)
{
	for (uint32_t i = 1; i < handoff.nmem; i++) {
		struct handoff_mem m = handoff.mem[i];
		uint32_t j = i;

		for (; j && handoff.mem[j - 1].base > m.base; j--)
			handoff.mem[j] = handoff.mem[j - 1];
		handoff.mem[j] = m;
	}
}

static bool continues_range(const struct handoff_mem *a, const struct handoff_mem *b)
{
	return a->base + a->pages * PAGE == b->base && a->type == b->type &&
	       a->efi_type == b->efi_type;
}

static void merge_map(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < handoff.nmem; i++) {
		if (n && continues_range(&handoff.mem[n - 1], &handoff.mem[i]))
			handoff.mem[n - 1].pages += handoff.mem[i].pages;
		else
			handoff.mem[n++] = handoff.mem[i];
	}
	handoff.nmem = n;
}

static void note_memory(void)
{
	add_memory(handoff.image_base, handoff.image_base + handoff.image_size, HANDOFF_MEM_IMAGE,
		   EfiLoaderCode);
	for (UINTN at = 0; at < map.used; at += map.descriptor_size)
		add_around_image((const EFI_MEMORY_DESCRIPTOR *)(map.bytes + at));
	sort_map();
	merge_map();
}

/* --- Into the upper half --- */

#define ENTRIES     512
#define TABLE       0x000ffffffffff000ull
#define ENTRY_FLAGS 3ull /* present, writable */

/* The firmware's, with ring 0's half: until the runtime has tables of its own. */
static uint64_t pml4[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t pml5[ENTRIES] __attribute__((aligned(PAGE)));

/* The upper half becomes what the lower one is; that stays, for this code still runs there. */
static void double_map(const uint64_t *lower)
{
	memcpy(pml4, lower, PAGE / 2);
	memcpy(pml4 + ENTRIES / 2, lower, PAGE / 2);
}

static void map_upper_half(void)
{
	const uint64_t *root = (const uint64_t *)(read_cr3() & TABLE);

	if (!(read_cr4() & CR4_LA57)) {
		double_map(root);
		write_cr3((uintptr_t)pml4);
		return;
	}
	double_map((const uint64_t *)(root[0] & TABLE));
	memcpy(pml5, root, sizeof(pml5));
	pml5[ENTRIES - 1] = (uintptr_t)pml4 | ENTRY_FLAGS;
	write_cr3((uintptr_t)pml5);
}

static uint64_t in_upper_half(const void *here)
{
	return (uintptr_t)here + DIRECT_MAP;
}

/* What calls rt_start() has no address up there: the chain of callers ends with 0 instead. */
static _Noreturn void start_runtime(void)
{
	map_upper_half();
	relocate_again(ImageBase, DIRECT_MAP);
	__asm__ volatile("mov %[top], %%rsp\n\t"
			 "xor %%ebp, %%ebp\n\t"
			 "push %%rbp\n\t"
			 "jmp *%[entry]"
			 :
			 : [top] "r"(in_upper_half(stack + sizeof(stack))),
			   [entry] "r"(in_upper_half((const void *)rt_start)),
			   "D"(in_upper_half(&handoff))
			 : "memory");
	__builtin_unreachable();
}

/* crt0 of GNU-EFI relocated us, and calls with the System V ABI. */
EFI_STATUS efi_main(EFI_HANDLE self, EFI_SYSTEM_TABLE *st);

EFI_STATUS efi_main(EFI_HANDLE self, EFI_SYSTEM_TABLE *st)
{
	EFI_STATUS status = note_image(self, st);

	if (EFI_ERROR(status))
		return status;
	note_acpi(st);
	note_smbios(st);
	note_cpu_hook(st);
	note_framebuffer(st);
	status = leave_boot_services(self, st);
	if (EFI_ERROR(status))
		return status;
	__asm__ volatile("cli" : : : "memory");
	handoff.load_end_tsc = __builtin_ia32_rdtsc();
	note_memory();
	start_runtime();
}
