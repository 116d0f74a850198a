// SPDX-License-Identifier: BSD-2-Clause
/*
 * x2apic.c - the local APIC by MSRs, if the CPU has that mode: its registers, sending and ending
 * interrupts, a counter's overflow, starting a CPU, and the switches between the modes. SDM vol. 3,
 * "Extended XAPIC (x2APIC)". The firmware cannot use the APIC afterwards: the guest resets the
 * machine.
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "tests/guests/world/guest_world.h"

#include <stddef.h>

#define CPUID_1_ECX_X2APIC (1u << 21)
#define SENT               0xf2 /* higher than the world's priority */
#define TURNS              20
#define PATIENCE           10000

static volatile unsigned sent, pmis;

static uint32_t msr_of(uint32_t offset)
{
	return MSR_X2APIC_BASE + offset / 16;
}

static bool count_traps(struct world_trap *trap)
{
	if (trap->vector != SENT && trap->vector != WORLD_VECTOR)
		return false;
	if (trap->vector == SENT)
		sent++;
	else
		pmis++;
	wrmsr(msr_of(APIC_EOI), 0);
	return true;
}

static void try_write(const char *what, uint32_t msr, uint64_t value)
{
	const bool done = wrmsr_safe(msr, value);

	guest_print("%s: %s", what, done ? "done" : "refused");
}

static void try_read(const char *what, uint32_t msr)
{
	uint64_t value = 0;

	if (rdmsr_safe(msr, &value))
		guest_print("%s: %llx", what, (unsigned long long)value);
	else
		guest_print("%s: refused", what);
}

static void tell_base(void)
{
	const uint64_t base = rdmsr(MSR_IA32_APIC_BASE);

	guest_print("APIC_BASE: on %d, x2APIC %d", !!(base & APIC_BASE_EN),
		    !!(base & APIC_BASE_EXTD));
}

static void registers(void)
{
	const uint64_t cr8 = read_cr8();

	try_read("ID", msr_of(APIC_ID));
	try_read("LDR", msr_of(APIC_LDR));
	try_read("LVTPC", msr_of(APIC_LVT_PC));
	try_read("DFR, which is not there", msr_of(APIC_DFR));
	try_write("ID", msr_of(APIC_ID), 5);
	try_write("TPR", msr_of(APIC_TPR), 0x20);
	guest_print("CR8 %llx", (unsigned long long)read_cr8());
	write_cr8(7);
	try_read("TPR", msr_of(APIC_TPR));
	write_cr8(cr8);
}

static void send_and_wait(uint32_t msr, uint64_t command)
{
	const unsigned before = sent;

	wrmsr(msr, command);
	irq_enable();
	for (volatile unsigned i = 0; i < PATIENCE && sent == before; i++)
		;
	irq_disable();
}

static void interrupts(void)
{
	sent = 0;
	for (unsigned i = 0; i < TURNS; i++) {
		send_and_wait(msr_of(APIC_SELF_IPI), SENT);
		send_and_wait(msr_of(APIC_ICR), APIC_ICR_SELF | APIC_ICR_ASSERT | SENT);
	}
	guest_print("%u interrupts of %u", sent, 2 * TURNS);
}

static void registers_and_interrupts(void)
{
	registers();
	interrupts();
}

static void overflow(void)
{
	pmis = world_nmis = 0;
	wrmsr(msr_of(APIC_LVT_PC), WORLD_VECTOR);
	guest_count_once(1000);
	irq_enable();
	guest_spin();
	irq_disable();
	wrmsr(msr_of(APIC_LVT_PC), APIC_LVT_NMI);
	guest_count_once(1000);
	guest_spin();
	guest_print("PMU: PMIs %u, NMIs %u", pmis, world_nmis);
	wrmsr(msr_of(APIC_LVT_PC), APIC_LVT_MASKED);
}

static void between_modes(void)
{
	const uint64_t base = rdmsr(MSR_IA32_APIC_BASE) & ~(APIC_BASE_EN | APIC_BASE_EXTD);

	try_write("x2APIC mode without the APIC", MSR_IA32_APIC_BASE, base | APIC_BASE_EXTD);
	try_write("back to xAPIC mode", MSR_IA32_APIC_BASE, base | APIC_BASE_EN);
	tell_base();
	try_write("off", MSR_IA32_APIC_BASE, base);
	tell_base();
	try_write("x2APIC mode of what is off", MSR_IA32_APIC_BASE,
		  base | APIC_BASE_EN | APIC_BASE_EXTD);
	try_write("xAPIC mode", MSR_IA32_APIC_BASE, base | APIC_BASE_EN);
	try_write("x2APIC mode", MSR_IA32_APIC_BASE, base | APIC_BASE_EN | APIC_BASE_EXTD);
	tell_base();
	wrmsr(msr_of(APIC_SVR), APIC_SVR_ENABLE | 0xff);
}

static void in_world(void)
{
	const uint64_t base = rdmsr(MSR_IA32_APIC_BASE);

	try_write("x2APIC mode", MSR_IA32_APIC_BASE, base | APIC_BASE_EXTD);
	tell_base();
	if (!(rdmsr(MSR_IA32_APIC_BASE) & APIC_BASE_EXTD))
		return;
	world_on_trap = count_traps;
	guest_count_variously(registers_and_interrupts);
	overflow();
	between_modes();
	overflow();
}

static void after_x2apic(void)
{
}

void guest_x2apic(void)
{
	guest_print("CPUID %d", !!(insn_cpuid(1, 0).ecx & CPUID_1_ECX_X2APIC));
	world_run(in_world, after_x2apic);
	if (rdmsr(MSR_IA32_APIC_BASE) & APIC_BASE_EXTD && guest_cpu_count() > 1)
		guest_starts();
}
