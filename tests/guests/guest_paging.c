// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_paging.c - changing page tables, INVLPG, and the bits of CR0, CR3, CR4 and EFER about
 * pages. The manual does not define the target of a translation that was not invalidated, so the
 * guest does not print it. SDM vol. 3, "Paging".
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "tests/guests/world/guest_world.h"

#include <stddef.h>

#define PAGE      4096u
#define ENTRIES   512u
#define AT        (1ull << 39) /* behind what the world maps: the second entry of its top table */
#define TURNS     20u
#define VECTOR_PF 14

#define PRESENT  (1ull << 0)
#define WRITE    (1ull << 1)
#define USER     (1ull << 2)
#define ACCESSED (1ull << 5)
#define DIRTY    (1ull << 6)
#define LARGE    (1ull << 7)
#define GLOBAL   (1ull << 8)
#define RESERVED (1ull << 51)
#define NO_EXEC  (1ull << 63)
#define ALL      (PRESENT | WRITE | USER)

#define CR0_WP   (1ull << 16)
#define CR4_PGE  (1ull << 7)
#define CR4_SMEP (1ull << 20)
#define CR4_SMAP (1ull << 21)

#define CPUID_7_EBX_SMEP (1u << 7)
#define CPUID_7_EBX_SMAP (1u << 20)

static uint64_t pdpt[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t pd[ENTRIES] __attribute__((aligned(PAGE)));
static volatile uint64_t pt[ENTRIES] __attribute__((aligned(PAGE)));
static uint8_t a[PAGE] __attribute__((aligned(PAGE)));
static uint8_t b[PAGE] __attribute__((aligned(PAGE)));

static volatile uint32_t *const mapped = (volatile uint32_t *)AT;
static volatile uint64_t *top;

/* --- Accesses by functions that keep nothing on the stack: one that faults returns --- */

static uint64_t fault_error, fault_at;
static unsigned faults;

static bool return_from_fault(struct world_trap *trap)
{
	if (trap->vector != VECTOR_PF)
		return false;
	faults++;
	fault_error = trap->error;
	fault_at = read_cr2();
	trap->rip = *(uint64_t *)trap->rsp;
	trap->rsp += sizeof(uint64_t);
	return true;
}

void guest_access_read(uint64_t at), guest_access_write(uint64_t at), guest_access_run(uint64_t at);
__asm__(".globl guest_access_read, guest_access_write, guest_access_run\n"
	".hidden guest_access_read, guest_access_write, guest_access_run\n"
	"guest_access_read:\n\tmov (%rdi), %eax\n\tret\n"
	"guest_access_write:\n\tmovl $0xc3c3c3c3, (%rdi)\n\tret\n"
	"guest_access_run:\n\tjmp *%rdi\n");

static void try_access(const char *what, void (*access)(uint64_t at))
{
	faults = 0;
	access(AT);
	if (!faults)
		guest_print("%s: no fault", what);
	else
		guest_print("%s: %u faults, error %llx, at %llx", what, faults,
			    (unsigned long long)fault_error, (unsigned long long)(fault_at - AT));
}

static void map_test_page(const void *page, uint64_t flags)
{
	pt[0] = (uint64_t)page | flags;
	invlpg((const void *)AT);
}

static void try_all(const char *what, uint64_t flags)
{
	map_test_page(a, flags);
	guest_print("%s", what);
	try_access("  read", guest_access_read);
	try_access("  write", guest_access_write);
	try_access("  run", guest_access_run);
	guest_print("  accessed %d, dirty %d", !!(pt[0] & ACCESSED), !!(pt[0] & DIRTY));
}

/* --- --- */

static void by_invlpg(void)
{
	invlpg((const void *)AT);
}

static void by_cr3(void)
{
	write_cr3(read_cr3());
}

static void by_cr4(void)
{
	const uint64_t cr4 = read_cr4();

	write_cr4(cr4 ^ CR4_PGE);
	write_cr4(cr4);
}

static void by_cr0(void)
{
	const uint64_t cr0 = read_cr0();

	write_cr0(cr0 ^ CR0_WP);
	write_cr0(cr0);
	write_cr3(read_cr3());
}

/* Two pages are mapped at AT in turns. */
static void try_remapping(const char *what, uint64_t flags, void (*invalidate)(void))
{
	unsigned right = 0;

	for (unsigned i = 0; i < TURNS; i++) {
		pt[0] = (uint64_t)(i % 2 ? a : b) | flags;
		invalidate();
		right += *mapped == (i % 2 ? 1 : 2);
		*mapped = i % 2 ? 1 : 2;
	}
	guest_print("%s: %u of %u, then %u and %u", what, right, TURNS, *(volatile uint32_t *)a,
		    *(volatile uint32_t *)b);
}

/* 2 MiB become pages of 4 KiB, and 2 MiB again. */
static void split_and_join(void)
{
	const uint64_t start = (uint64_t)a & ~((1ull << 21) - 1), offset = (uint64_t)a - start;
	const volatile uint32_t *const there = (volatile uint32_t *)(AT + offset);
	const uint64_t small = pd[0];
	uint32_t seen[3];

	pd[0] = start | ALL | LARGE;
	by_cr3();
	seen[0] = *there;
	pt[offset / PAGE] = (uint64_t)b | ALL;
	pd[0] = small;
	invlpg((const void *)there);
	seen[1] = *there;
	pd[0] = start | ALL | LARGE;
	invlpg((const void *)there);
	seen[2] = *there;
	pd[0] = small;
	pt[offset / PAGE] = 0;
	by_cr3();
	guest_print("a large page %u, a small one %u, a large one %u", seen[0], seen[1], seen[2]);
}

static void remap_variously(void)
{
	*(volatile uint32_t *)a = 1;
	*(volatile uint32_t *)b = 2;
	try_remapping("INVLPG", ALL, by_invlpg);
	try_remapping("INVLPG of a global page", ALL | GLOBAL, by_invlpg);
	try_remapping("CR3", ALL, by_cr3);
	try_remapping("CR4.PGE", ALL | GLOBAL, by_cr4);
	try_remapping("CR0.WP and CR3", ALL, by_cr0);
	split_and_join();
}

static void with_cr4(const char *what, uint64_t bit, uint64_t flags)
{
	write_cr4(read_cr4() | bit);
	try_all(what, flags);
	write_cr4(read_cr4() & ~bit);
}

static void try_protections(void)
{
	const uint64_t cr0 = read_cr0(), efer = rdmsr(MSR_EFER);
	const struct cpuid_regs features = insn_cpuid(7, 0);

	try_all("a page of all", ALL);
	write_cr0(cr0 | CR0_WP);
	try_all("read only, WP", PRESENT);
	write_cr0(cr0 & ~CR0_WP);
	try_all("read only, no WP", PRESENT);
	write_cr0(cr0);
	try_all("not present", 0);
	try_all("a reserved bit", ALL | RESERVED);
	wrmsr(MSR_EFER, efer | EFER_NXE);
	try_all("NX", ALL | NO_EXEC);
	wrmsr(MSR_EFER, efer & ~EFER_NXE);
	try_all("NX without NXE", ALL | NO_EXEC);
	wrmsr(MSR_EFER, efer);
	guest_print("SMEP %d, SMAP %d", !!(features.ebx & CPUID_7_EBX_SMEP),
		    !!(features.ebx & CPUID_7_EBX_SMAP));
	if (features.ebx & CPUID_7_EBX_SMEP) {
		with_cr4("SMEP, a page of ring 3", CR4_SMEP, ALL);
		with_cr4("SMEP, a page of ring 0", CR4_SMEP, PRESENT | WRITE);
	}
	if (features.ebx & CPUID_7_EBX_SMAP) {
		with_cr4("SMAP, a page of ring 3", CR4_SMAP, ALL);
		insn_stac();
		with_cr4("SMAP, and AC", CR4_SMAP, ALL);
		insn_clac();
	}
	map_test_page(a, ALL);
}

/* One register by two names. */
static void task_priority(void)
{
	const uint64_t cr8 = read_cr8();

	for (uint64_t i = 0; i < 16; i += 5) {
		const uint32_t other = (uint32_t)(15 - i) << 4;
		uint32_t by_apic;

		write_cr8(i);
		by_apic = world_apic_read(APIC_TPR);
		world_apic_write(APIC_TPR, other);
		guest_print("CR8 %llx: TPR %x; TPR %x: CR8 %llx, TPR %x", (unsigned long long)i,
			    by_apic, other, (unsigned long long)read_cr8(),
			    world_apic_read(APIC_TPR));
	}
	write_cr8(cr8);
}

static void use_page_tables(void)
{
	world_on_trap = return_from_fault;
	remap_variously();
	try_protections();
	world_on_trap = NULL;
	task_priority();
}

static void after_paging(void)
{
}

/* The lower half, where the world runs, is ring 0's alone here; the page at AT may be ring 3's. */
static void in_world(void)
{
	top = (volatile uint64_t *)(read_cr3() & ~(PAGE - 1ull));
	pdpt[0] = (uint64_t)pd | ALL;
	pd[0] = (uint64_t)pt | ALL;
	top[1] = (uint64_t)pdpt | ALL;
	top[0] &= ~USER;
	write_cr3(read_cr3());
	guest_count_variously(use_page_tables);
	top[0] |= USER;
	top[1] = 0;
	write_cr3(read_cr3());
}

void guest_paging(void)
{
	world_run(in_world, after_paging);
}
