// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_control.c - writes of control registers that a CPU refuses by #GP: plain, while a counter
 * counts one ring alone, and while vpmu looks at each instruction. SDM vol. 2, "MOV - Move to/from
 * Control Registers", "XSETBV"; vol. 3, "Control Registers".
 *
 * QEMU by itself accepts some of them, and soon ends its machine. So guest_refused() does not run
 * without vpmu. guest_control() behaves the same there.
 */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "tests/guests/try.h"
#include "tests/guests/world/guest_world.h"

#define CR0_PE      (1ull << 0)
#define CR0_WP      (1ull << 16)
#define CR0_PG      (1ull << 31)
#define CR4_PAE     (1ull << 5)
#define CR4_PGE     (1ull << 7)
#define CR4_LA57    (1ull << 12)
#define CR4_OSXSAVE (1ull << 18)
#define VECTOR_GP   13

#define CODE_MARKED_32 (world_gdt[WORLD_CODE / 8] | 1ull << 54) /* L and D */

/* XCR0: x87 always, AVX with SSE alone, nothing that CPUID does not have. */
static void extended_controls(void)
{
	static const struct {
		const char *what;
		uint64_t value;
	} rows[] = {
		{"XCR0 of x87", 1},
		{"XCR0 of nothing", 0},
		{"XCR0 without x87", 2},
		{"XCR0, AVX without SSE", 5},
		{"XCR0, a bit that nothing has", 1ull << 62 | 1},
	};
	const uint64_t cr4 = read_cr4();

	TRY("XSETBV without OSXSAVE",
	    "xor %%ecx, %%ecx\nxor %%edx, %%edx\nmov $1, %%eax\n1: xsetbv", "r"(0));
	write_cr4(cr4 | CR4_OSXSAVE);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		TRY(rows[i].what,
		    "xor %%ecx, %%ecx\nmov %0, %%rdx\nmov %%edx, %%eax\nshr $32, %%rdx\n1: xsetbv",
		    "r"(rows[i].value));
	TRY("XCR1", "mov $1, %%ecx\nxor %%edx, %%edx\nmov $1, %%eax\n1: xsetbv", "r"(0));
	write_cr4(cr4);
}

static void legal_writes(void)
{
	const uint64_t cr0 = read_cr0(), cr4 = read_cr4();

	TRY("CR0, WP", "1: mov %0, %%cr0", "r"(cr0 ^ CR0_WP));
	guest_print("changed %d", !!((read_cr0() ^ cr0) & CR0_WP));
	write_cr0(cr0);
	TRY("CR4, PGE", "1: mov %0, %%cr4", "r"(cr4 ^ CR4_PGE));
	guest_print("changed %d", !!((read_cr4() ^ cr4) & CR4_PGE));
	write_cr4(cr4);
	guest_print("as before %d", read_cr0() == cr0 && read_cr4() == cr4);
}

static void all_of_control(void)
{
	legal_writes();
	extended_controls();
}

static void mode_registers(void)
{
	const uint64_t efer = rdmsr(MSR_EFER);

	try_begin();
	wrmsr_safe(MSR_EFER, efer & ~EFER_LME);
	try_tell("EFER without LME, with pages");
	guest_print("EFER %llx", (unsigned long long)rdmsr(MSR_EFER));
}

/* Bits that no CPU has. */
static void reserved_bits(void)
{
	static const uint8_t bits[] = {15, 19, 26, 31, 32, 47, 63};
	const uint64_t cr3 = read_cr3(), cr4 = read_cr4();
	unsigned faults = 0;

	for (unsigned i = 0; i < sizeof(bits); i++) {
		try_begin();
		__asm__ volatile("1: mov %0, %%cr4\n2:\n\t" INSN_EXTABLE("1b", "2b")
				 :
				 : "r"(cr4 | 1ull << bits[i])
				 : "memory");
		faults += try_vector() == VECTOR_GP && read_cr4() == cr4;
	}
	TRY("CR4, all bits", "1: mov %0, %%cr4", "r"(UINT64_MAX));
	for (unsigned bit = 52; bit < 63; bit++) {
		try_begin();
		__asm__ volatile("1: mov %0, %%cr3\n2:\n\t" INSN_EXTABLE("1b", "2b")
				 :
				 : "r"(cr3 | 1ull << bit)
				 : "memory");
		faults += try_vector() == VECTOR_GP && read_cr3() == cr3;
	}
	guest_print("%u of %u faults", faults, (unsigned)sizeof(bits) + 63 - 52);
}

/* Another code segment is in use for some instructions, which VMRUN may come between. */
static void marked_code(void)
{
	uint64_t *const gdt = &world_gdt[WORLD_TASK_A / 8], was = *gdt;

	*gdt = CODE_MARKED_32;
	TRY("64-bit code that is marked as 32-bit code",
	    "pushq %0\n\tleaq 3f(%%rip), %%rax\n\tpushq %%rax\n1:\tlretq\n3:\txor %%eax, %%eax\n\tcpuid\n\t"
	    "pushq %1\n\tleaq 4f(%%rip), %%rax\n\tpushq %%rax\n\tlretq\n4:",
	    "i"(WORLD_TASK_A), "i"(WORLD_CODE));
	*gdt = was;
}

static void all_that_is_refused(void)
{
	const uint64_t cr0 = read_cr0(), cr4 = read_cr4();

	TRY("CR0, PG without PE", "1: mov %0, %%cr0", "r"(cr0 & ~CR0_PE));
	TRY("CR0, PG without PE and WP", "1: mov %0, %%cr0", "r"(cr0 & ~(CR0_PE | CR0_WP)));
	guest_print("CR0 is as it was %d", read_cr0() == cr0);
	TRY("CR4 without PAE", "1: mov %0, %%cr4", "r"(cr4 & ~CR4_PAE));
	TRY("CR4, LA57 in 64-bit code", "1: mov %0, %%cr4", "r"(cr4 ^ CR4_LA57));
	guest_print("CR4 is as it was %d", read_cr4() == cr4);
	mode_registers();
	reserved_bits();
	marked_code();
}

static void after_control(void)
{
}

static void control_in_world(void)
{
	guest_count_variously(all_of_control);
}

static void refused_in_world(void)
{
	guest_count_variously(all_that_is_refused);
}

void guest_control(void)
{
	world_run(control_in_world, after_control);
}

void guest_refused(void)
{
	world_run(refused_in_world, after_control);
}
