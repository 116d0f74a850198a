// SPDX-License-Identifier: BSD-2-Clause
/*
 * xsave.c - extended states: CPUID and XCR0, the values that XSETBV accepts, and the registers that
 * XSAVE and XRSTOR keep. SDM vol. 1, "Managing State Using the XSAVE Feature Set".
 */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "tests/guests/world/guest_world.h"

#define LEAF          0xd
#define AREA_BYTES    4096
#define HEADER        512 /* XSTATE_BV */
#define MXCSR         24
#define MXCSR_DEFAULT 0x1f80
#define CR4_OSXSAVE   (1ull << 18)
#define ECX_OSXSAVE   (1u << 27)
#define NONE          999

static uint8_t from[AREA_BYTES] __attribute__((aligned(64)));
static uint8_t to[AREA_BYTES] __attribute__((aligned(64)));

static uint64_t all_states(void)
{
	const struct cpuid_regs leaf = insn_cpuid(LEAF, 0);

	return (uint64_t)leaf.edx << 32 | leaf.eax;
}

static void tell_leaves(void)
{
	for (uint32_t i = 0; i < 10; i++) {
		const struct cpuid_regs leaf = insn_cpuid(LEAF, i);

		guest_print("leaf 0xd.%u: %x %x %x %x", i, leaf.eax, leaf.ebx, leaf.ecx, leaf.edx);
	}
}

static void try_xsetbv(uint32_t index, uint64_t value)
{
	world_vector = NONE;
	__asm__ volatile("1: xsetbv\n2:\n\t" INSN_EXTABLE("1b", "2b")
			 :
			 : "c"(index), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
			 : "memory");
	guest_print("XCR%u of %llx: vector %u, %llx", index, (unsigned long long)value,
		    world_vector, (unsigned long long)insn_xgetbv(0));
}

static void try_values(void)
{
	static const uint64_t values[] = {0, 1, 2, 3, 4, 5, 7, 0xf, 0xff, 1ull << 63, 0x203};

	for (unsigned i = 0; i < sizeof(values) / sizeof(*values); i++)
		try_xsetbv(0, values[i]);
	try_xsetbv(1, 1);
	try_xsetbv(0, all_states());
}

static void without_osxsave(void)
{
	const uint64_t cr4 = read_cr4();

	write_cr4(cr4 & ~CR4_OSXSAVE);
	guest_print("OSXSAVE %d", !!(insn_cpuid(1, 0).ecx & ECX_OSXSAVE));
	world_vector = NONE;
	__asm__ volatile("xor %%ecx, %%ecx\n1: xgetbv\n2:\n\t" INSN_EXTABLE("1b", "2b")
			 :
			 :
			 : "rax", "rcx", "rdx");
	guest_print("XGETBV without it: vector %u", world_vector);
	write_cr4(cr4 | CR4_OSXSAVE);
	guest_print("OSXSAVE %d", !!(insn_cpuid(1, 0).ecx & ECX_OSXSAVE));
}

/* Each byte of the registers has its offset; bytes of no register stay 0. */
static void fill_registers(void)
{
	const uint64_t states = all_states();

	memset(from, 0, sizeof(from));
	for (unsigned i = 160; i < 416; i++)
		from[i] = (uint8_t)(i * 7);
	for (uint32_t i = 2; i < 10; i++) {
		const struct cpuid_regs leaf = insn_cpuid(LEAF, i);

		for (uint32_t k = 0; states >> i & 1 && i == 2 && k < leaf.eax; k++)
			from[leaf.ebx + k] = (uint8_t)(k * 13 + 5);
	}
	memcpy(&from[MXCSR], &(uint32_t){MXCSR_DEFAULT}, 4);
	memcpy(&from[HEADER], &(uint64_t){7 & states}, 8);
}

static uint32_t sum(const uint8_t *bytes, unsigned n)
{
	uint32_t all = 0;

	for (unsigned i = 0; i < n; i++)
		all = all * 31 + bytes[i];
	return all;
}

static void save_and_restore(void)
{
	const uint64_t states = 7 & all_states();

	fill_registers();
	memset(to, 0, sizeof(to));
	__asm__ volatile("xrstor64 (%0)\n\tnop\n\txsave64 (%1)"
			 :
			 : "r"(from), "r"(to), "a"((uint32_t)states), "d"(0)
			 : "memory");
	guest_print("states %llx, XMM %d, all %x and %x", (unsigned long long)states,
		    !memcmp(from + 160, to + 160, 256), sum(from + 576, 256), sum(to + 576, 256));
	guest_print("header %llx", (unsigned long long)*(uint64_t *)(to + HEADER));
}

static void fault_on_xsave(void)
{
	world_vector = NONE;
	__asm__ volatile("1: xsave64 (%0)\n2:\n\t" INSN_EXTABLE("1b", "2b")
			 :
			 : "r"(to + 8), "a"(3), "d"(0)
			 : "memory");
	guest_print("XSAVE at an odd place: vector %u", world_vector);
	memcpy(&from[HEADER], &(uint64_t){1ull << 62}, 8);
	world_vector = NONE;
	__asm__ volatile("1: xrstor64 (%0)\n2:\n\t" INSN_EXTABLE("1b", "2b")
			 :
			 : "r"(from), "a"(3), "d"(0)
			 : "memory");
	guest_print("XRSTOR of a state that is not there: vector %u", world_vector);
}

static void all_of_them(void)
{
	tell_leaves();
	without_osxsave();
	try_values();
	save_and_restore();
	fault_on_xsave();
}

static uint8_t saved[512] __attribute__((aligned(16)));

static void count_with_sse(void)
{
	const uint64_t cr4 = read_cr4(), cr0 = read_cr0();

	write_cr0(cr0 & ~(1ull << 2 | 1ull << 3));
	write_cr4(cr4 | CR4_OSFXSR | CR4_OSXSAVE);
	insn_fxsave(saved);
	guest_count_variously(all_of_them);
	insn_fxrstor(saved);
	write_cr4(cr4);
	write_cr0(cr0);
}

static void after_xsave(void)
{
}

void guest_xsave(void)
{
	world_run(count_with_sse, after_xsave);
}
