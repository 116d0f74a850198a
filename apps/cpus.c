// SPDX-License-Identifier: BSD-2-Clause
/* cpus.c - the CPUs of this machine as a table. */

#include "arch/x86/dev/tsc.h"
#include "lib/printf.h"
#include "rt/console/command.h"
#include "rt/run/cpu_states.h"
#include "rt/base/machine.h"
#include "rt/print/print.h"

/* SDM vol. 2, "CPUID", leaf 0x1A. */
enum { CORE_TYPE_ATOM = 0x20, CORE_TYPE_CORE = 0x40 };

/* The facts that only the CPU itself can tell. */
struct answer {
	char pmu[64];
};

static void ask_cpu(void *arg)
{
	struct answer *answer = arg;
	const struct pmu_caps *caps = machine_caps();
	const char *problem = machine_pmu_problem();

	if (problem)
		fmt_print(answer->pmu, sizeof(answer->pmu), "none");
	else
		fmt_print(answer->pmu, sizeof(answer->pmu), "%s %02x-%02x", caps->vendor_id,
			  caps->family, caps->model);
}

static const char *core_type(const struct smp_cpu *cpu)
{
	switch (cpu->core_type) {
	case CORE_TYPE_ATOM:
		return "atom";
	case CORE_TYPE_CORE:
		return "core";
	default:
		return "-";
	}
}

static void print_offset(const struct smp_cpu *cpu)
{
	char text[32];

	if (cpu->tsc_differs)
		fmt_print(text, sizeof(text), "differs");
	else
		fmt_print(text, sizeof(text), "%lld+-%llu", (long long)tsc_bounds_offset(&cpu->tsc),
			  (unsigned long long)tsc_bounds_error(&cpu->tsc));
	out(" %16s", text);
}

static void print_online(const struct smp_cpu *cpu)
{
	struct answer answer = {""};

	smp_call(cpu->number, ask_cpu, &answer);
	out("%4u %8u %8u %5u %7u %-5s", cpu->number, cpu->apic_id, cpu->place.package,
	    cpu->place.core, cpu->place.thread, core_type(cpu));
	print_offset(cpu);
	out("  %-24s %s\n", answer.pmu, cpus_state(cpu->state));
}

static void print_other(const struct smp_cpu *cpu)
{
	out("%4s %8u %8s %5s %7s %-5s %16s  %-24s %s\n", "-", cpu->apic_id, "-", "-", "-", "-", "-",
	    "-", cpus_state(cpu->state));
}

static int run_cpus(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	out("%4s %8s %8s %5s %7s %-5s %16s  %-24s %s\n", "CPU", "APIC id", "package", "core",
	    "thread", "type", "TSC offset", "PMU", "state");
	for (unsigned i = 0; i < smp_nfound(); i++) {
		if (smp_found(i)->state == SMP_ONLINE)
			print_online(smp_found(i));
		else
			print_other(smp_found(i));
	}
	return 0;
}

static const struct command cpus = {
	.name = "cpus",
	.usage = "",
	.summary = "the CPUs of this machine: where they are, and what became of them",
	.help = "TSC offset: ticks that its TSC is ahead of CPU 0's, and how far that may be off.\n"
		"PMU: what CPUID says there of the one whose events this CPU counts.\n",
	.run = run_cpus,
};
COMMAND(cpus);
