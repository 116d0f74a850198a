// SPDX-License-Identifier: BSD-2-Clause
/* guest_cpus.c - other CPUs after a SIPI: by their APIC ids, and all at once, from two pages. */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "lib/string.h"

#define ALL_BUT_SELF  (3u << 18)
#define ID_SHIFT      24
#define NOTES_MAX     32
#define PATIENCE      2000 /* spins */
#define PAGE_SHIFT    12
#define SEGMENT_SHIFT 4
#define CPUID_PERFMON 10

/* begin.S */
struct begin_page {
	uint8_t code[0x200];
	uint32_t lock, count, kept;
	uint8_t unused[0x400 - 0x20c];
	struct note {
		uint32_t eax, ebx, ecx, edx, esi, edi, ebp, esp, cr0;
		uint16_t cs, ds;
		uint32_t vendor, perfmon, signature, apic_id;
		uint32_t more[2];
	} notes[NOTES_MAX];
};
_Static_assert(__builtin_offsetof(struct begin_page, lock) == 0x200, "begin.S");
_Static_assert(__builtin_offsetof(struct begin_page, notes) == 0x400, "begin.S");
_Static_assert(sizeof(struct note) == 64, "begin.S");

extern const uint8_t guest_begin[], guest_begin_end[];

static volatile struct begin_page *new_begin_page(void)
{
	uint8_t *page = guest_low_page();

	if (!page)
		return NULL;
	memset(page, 0, sizeof(struct begin_page));
	memcpy(page, guest_begin, (size_t)(guest_begin_end - guest_begin));
	return (volatile struct begin_page *)page;
}

static unsigned arrived(const volatile struct begin_page *page)
{
	return *(volatile uint16_t *)&page->count / sizeof(struct note);
}

static void send_ipi(uint32_t destination, uint32_t command)
{
	guest_apic_write(APIC_ICR_HIGH, destination);
	guest_apic_write(APIC_ICR, command);
	while (guest_apic_read(APIC_ICR) & APIC_ICR_PENDING)
		cpu_pause();
}

/* Sends two SIPIs, as software does. The second one does not affect a running CPU. */
static void send_startups(volatile struct begin_page *page, uint32_t destination,
			  uint32_t shorthand)
{
	const uint32_t vector = (uint32_t)((uint64_t)page >> PAGE_SHIFT);

	send_ipi(destination, APIC_ICR_INIT | APIC_ICR_ASSERT | shorthand);
	guest_spin();
	send_ipi(destination, APIC_ICR_STARTUP | APIC_ICR_ASSERT | shorthand | vector);
	guest_spin();
	send_ipi(destination, APIC_ICR_STARTUP | APIC_ICR_ASSERT | shorthand | vector);
}

static void wait_for_cpus(const volatile struct begin_page *page, unsigned n)
{
	for (unsigned i = 0; i < PATIENCE && arrived(page) < n; i++)
		guest_spin();
}

static void print_start_state(const volatile struct begin_page *page, unsigned i)
{
	const volatile struct note *note = &page->notes[i];
	const struct cpuid_regs basic = insn_cpuid(0, 0), first = insn_cpuid(1, 0),
				perfmon = insn_cpuid(CPUID_PERFMON, 0);

	guest_print("registers %x %x %x %x %x %x %x, CR0 %x, CS its page %d, DS %x", note->eax,
		    note->ebx, note->ecx, note->esi, note->edi, note->ebp, note->esp, note->cr0,
		    (uint64_t)note->cs << SEGMENT_SHIFT == (uint64_t)page, note->ds);
	guest_print("EDX its signature %d, and the boot CPU's %d; vendor %d; perfmon %d",
		    note->edx == note->signature, note->signature == first.eax,
		    note->vendor == basic.ebx, note->perfmon == perfmon.eax);
}

/* CPUs may come in any order. */
static void tell_ids(const volatile struct begin_page *page)
{
	uint32_t ids = 0;

	for (unsigned i = 0; i < arrived(page); i++)
		ids |= 1u << (page->notes[i].apic_id & 31);
	guest_print("%u CPUs, ids %x", arrived(page), ids);
}

void guest_cpus(void)
{
	volatile struct begin_page *all = new_begin_page(), *one = new_begin_page();
	unsigned others;

	if (!all || !one)
		return;
	send_startups(all, 0, ALL_BUT_SELF);
	wait_for_cpus(all, guest_cpu_count() - 1);
	others = arrived(all);
	tell_ids(all);
	for (unsigned i = 0; i < others; i++)
		print_start_state(all, i);
	for (unsigned i = 0; i < others; i++) {
		send_startups(one, (i + 1) << ID_SHIFT, 0);
		wait_for_cpus(one, i + 1);
	}
	tell_ids(one);
	print_start_state(one, 0);
	guest_print("none came twice: %d", arrived(all) == others);
}
