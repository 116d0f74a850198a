// SPDX-License-Identifier: BSD-2-Clause
/* clocks.c - all ways to read the TSC, with instructions in between that a hypervisor may execute:
 * the TSC never goes back or stands still. SDM vol. 3, "Time-Stamp Counter". */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "tests/guests/world/guest_world.h"

#include <stddef.h>

#define TURNS   100
#define AUX     0x1234u
#define COMMAND (APIC_ICR_SELF | APIC_ICR_ASSERT | WORLD_VECTOR)

static uint64_t by_rdtscp(uint32_t *aux)
{
	uint32_t low, high;

	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(*aux));
	return (uint64_t)high << 32 | low;
}

static void cpuid(void)
{
	insn_cpuid(0, 0);
}

static void read_msr(void)
{
	rdmsr(MSR_EFER);
}

static void write_msr(void)
{
	wrmsr(MSR_EFER, rdmsr(MSR_EFER));
}

static void fault(void)
{
	__asm__ volatile("1: ud2\n2:\n\t" INSN_EXTABLE("1b", "2b"));
}

static void send_and_halt(void)
{
	world_apic_write(APIC_ICR, COMMAND);
	__asm__ volatile("sti; hlt; cli");
}

static void nothing(void)
{
}

static const struct {
	const char *name;
	void (*execute)(void);
} between[] = {
	{"nothing", nothing}, {"CPUID", cpuid}, {"RDMSR", read_msr},
	{"WRMSR", write_msr}, {"UD2", fault},   {"an interrupt, and HLT", send_and_halt},
};

static void read_with(const char *name, void (*execute)(void))
{
	unsigned right = 0;
	uint32_t aux;

	for (unsigned i = 0; i < TURNS; i++) {
		const uint64_t first = rdtsc();
		uint64_t second, third;

		execute();
		second = by_rdtscp(&aux);
		execute();
		third = rdtsc();
		right += first < second && second < third && aux == AUX;
	}
	guest_print("the TSC goes on, with %s: %u of %u", name, right, TURNS);
}

static void read_clocks(void)
{
	wrmsr(MSR_TSC_AUX, AUX);
	for (size_t i = 0; i < sizeof(between) / sizeof(*between); i++)
		read_with(between[i].name, between[i].execute);
	wrmsr(MSR_TSC_AUX, 0);
}

static void count_clocks(void)
{
	guest_count_variously(read_clocks);
}

void guest_clocks(void)
{
	world_run(count_clocks, nothing);
}
