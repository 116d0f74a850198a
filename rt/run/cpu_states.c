// SPDX-License-Identifier: BSD-2-Clause
/* cpu_states.c - see cpu_states.h. */
#include "rt/run/cpu_states.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/dev/nodes.h"
#include "rt/print/print.h"

static const char *const states[] = {
	[SMP_ONLINE] = "online",
	[SMP_LEFT_OUT] = "left out",
	[SMP_UNREACHABLE] = "cannot be reached without x2APIC mode",
	[SMP_DID_NOT_START] = "did not start",
	[SMP_UNUSABLE] = "started, but cannot be used",
	[SMP_NOT_LENT] = "is not lent by the firmware (mode=own starts it)",
	[SMP_NO_MEMORY] = "not started: no memory for it",
};

const char *cpus_state(enum smp_state state)
{
	return states[state];
}

static bool is_problem(enum smp_state state)
{
	return state != SMP_ONLINE && state != SMP_LEFT_OUT;
}

static void say_tscs(void)
{
	uint64_t most = 0, error = 0;
	bool differ = false;

	for (unsigned cpu = 1; cpu < smp_ncpus(); cpu++) {
		const struct smp_cpu *c = smp_online(cpu);
		const uint64_t offset = tsc_bounds_most(&c->tsc);

		if (!tsc_bounds_agree(&c->tsc) && offset > most)
			most = offset;
		if (!tsc_bounds_agree(&c->tsc) && tsc_bounds_error(&c->tsc) > error)
			error = tsc_bounds_error(&c->tsc);
		differ |= c->tsc_differs;
	}
	if (differ)
		err("perf0: TSCs do not tick alike: times of different CPUs do not compare\n");
	else if (most)
		err("perf0: TSCs disagree by up to %llu ns: times are corrected, to within %llu ns\n",
		    (unsigned long long)tsc_to_ns(most), (unsigned long long)tsc_to_ns(error));
}

void cpus_say_problems(void)
{
	for (unsigned i = 0; i < smp_nfound(); i++) {
		const struct smp_cpu *cpu = smp_found(i);

		if (is_problem(cpu->state))
			err("perf0: CPU %u (APIC id %u) %s\n", i, cpu->apic_id,
			    cpus_state(cpu->state));
	}
	if (smp_nbeyond())
		err("perf0: the firmware names %u CPUs, and %u of them are left out: perf0 has numbers for "
		    "%u\n",
		    smp_nfound() + smp_nbeyond(), smp_nbeyond(), SMP_MAX_CPUS);
	if (nodes_problem())
		err("perf0: %s: it is not used\n", nodes_problem());
	say_tscs();
}
