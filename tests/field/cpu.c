// SPDX-License-Identifier: BSD-2-Clause
/* cpu.c - modes of the CPU that firmware may have on at the image's entry, and pointers that are
 * not valid. */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/cpuid.h"
#include "lib/string.h"
#include "tests/field/field.h"

#define PAGE        4096
#define LOW_MEMORY  0xffffffffull
#define ENTRY_FLAGS 3ull /* present, writable */

/* --- 5-level paging: SDM vol. 3, "4-Level Paging and 5-Level Paging" --- */

static bool has_la57(void)
{
	return insn_cpuid(7, 0).ecx & 1u << 16;
}

/* A root for five levels, whose first entry is the firmware's own table; 0: no memory. */
static uint64_t make_root(void)
{
	EFI_PHYSICAL_ADDRESS root = LOW_MEMORY;

	if (field_bs->AllocatePages(AllocateMaxAddress, EfiReservedMemoryType, 1, &root))
		return 0;
	memset((void *)root, 0, PAGE);
	*(uint64_t *)root = (read_cr3() & ~(uint64_t)(PAGE - 1)) | ENTRY_FLAGS;
	return root;
}

void field_five_levels(uint64_t root);

static EFI_STATUS EFIAPI tell_exit(EFI_HANDLE image, UINTN key)
{
	const EFI_STATUS status = field_bs->ExitBootServices(image, key);

	field_say("field: ExitBootServices returns\n");
	return status;
}

static void put_five_levels(struct field_options *options)
{
	uint64_t root, flags;

	(void)options;
	if (!has_la57()) {
		field_say("field: this CPU has no 5-level paging\n");
		return;
	}
	root = make_root();
	if (!root || (uintptr_t)field_five_levels > LOW_MEMORY) {
		field_say("field: no memory below 4 GiB\n");
		return;
	}
	field_st->BootServices->ExitBootServices = tell_exit;
	flags = irq_save();
	field_five_levels(root);
	irq_restore(flags);
	field_say("field: 5-level paging is on: %s\n", read_cr4() & CR4_LA57 ? "yes" : "no");
}

/* --- x2APIC mode, which a locked APIC cannot leave --- */

static void put_x2apic(struct field_options *options)
{
	const uint64_t base = rdmsr(MSR_IA32_APIC_BASE);

	(void)options;
	if (!(insn_cpuid(1, 0).ecx & 1u << 21)) {
		field_say("field: this CPU has no x2APIC\n");
		return;
	}
	wrmsr(MSR_IA32_APIC_BASE, base | APIC_BASE_EXTD);
}

static void take_x2apic(void)
{
	field_say("field: the APIC is in x2APIC mode: %s\n",
		  rdmsr(MSR_IA32_APIC_BASE) & APIC_BASE_EXTD ? "yes" : "no");
}

/* --- Runtime services behind SetVirtualAddressMap: their pointers are those of a kernel that is
 * gone --- */

#define GONE 0xfffffffeee000000ull

static EFI_RUNTIME_SERVICES *real_services, gone_services;

static void put_virtual(struct field_options *options)
{
	(void)options;
	real_services = field_st->RuntimeServices;
	gone_services = *real_services;
	for (size_t at = sizeof(EFI_TABLE_HEADER); at < sizeof(gone_services);
	     at += sizeof(uint64_t))
		*(uint64_t *)((char *)&gone_services + at) += GONE;
	field_st->RuntimeServices = &gone_services;
}

static void take_virtual(void)
{
	field_st->RuntimeServices = real_services;
}

const struct field_fault field_cpu_faults[] = {
	{"la57", put_five_levels, NULL},
	{"x2apic", put_x2apic, take_x2apic},
	{"virtual", put_virtual, take_virtual},
	{0},
};
