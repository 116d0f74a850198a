// SPDX-License-Identifier: BSD-2-Clause
/*
 * quiet.c - see quiet.h. Each CPU reads and writes its own registers, by smp_call(), and stores the
 * values in shared memory. A panic restores nothing: the machine stops there for good, and a reset
 * gives all of these registers their initial values.
 */
#include "rt/run/quiet.h"

#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/smbios.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "rt/base/machine.h"
#include "rt/run/steal.h"

#include <linux/errno.h>

static struct {
	unsigned ncpus; /* 0: there is no measurement */
	size_t pages;
	void *memory;
	struct knob_value (*values)[KNOBS_MOST];
	struct noise_cpu *before, *after;
	bool set;
} quiet;

/* The argument of a call to all CPUs. */
struct quiet_call {
	const struct knob_choice *choice;
	struct noise_cpu *noise;
	bool fresh;
	uint32_t failed[SMP_MAX_CPUS];
};

static struct quiet_call call;

static void on_each_cpu(void (*fn)(void *arg))
{
	for (unsigned i = 0; i < quiet.ncpus; i++)
		smp_call(i, fn, &call);
}

static void read_knobs(void *arg)
{
	(void)arg;
	knobs_read(machine_caps(), quiet.values[smp_cpu()]);
}

static void set_knobs(void *arg)
{
	const struct quiet_call *c = arg;

	knobs_set(c->choice, quiet.values[smp_cpu()]);
}

static void restore_knobs(void *arg)
{
	struct quiet_call *c = arg;

	c->failed[smp_cpu()] = knobs_restore(quiet.values[smp_cpu()]);
}

static void begin_stealing(void *arg)
{
	(void)arg;
	steal_begin();
}

static void end_stealing(void *arg)
{
	(void)arg;
	steal_end();
}

static void read_noise(void *arg)
{
	const struct quiet_call *c = arg;
	struct noise_cpu *cpu = &c->noise[smp_cpu()];
	const struct trap_counts *traps = trap_counts();

	noise_read(machine_caps(), cpu, c->fresh);
	cpu->stolen = steal_ns();
	cpu->ticks = tsc_from_ns(clock_ns());
	cpu->irqs = traps->irqs;
	cpu->stray_irqs = traps->stray_irqs;
	cpu->nmis = traps->nmis;
	cpu->unknown_nmis = traps->unknown_nmis;
}

/* Bounds of the lead of each TSC over this CPU's. */
static void compare_tscs(struct noise_cpu *cpus)
{
	for (unsigned i = 1; i < quiet.ncpus; i++) {
		struct tsc_bounds bounds;
		int64_t offset, error;

		cpus[i].tsc_least = INT64_MIN;
		cpus[i].tsc_most = INT64_MAX;
		if (smp_compare_tsc(i, &bounds))
			continue;
		offset = tsc_bounds_offset(&bounds);
		error = (int64_t)tsc_bounds_error(&bounds);
		cpus[i].tsc_least = offset - error;
		cpus[i].tsc_most = offset + error;
	}
}

static bool reserve_memory(void)
{
	const size_t each = sizeof(*quiet.values) + 2 * sizeof(struct noise_cpu);

	quiet.ncpus = smp_ncpus();
	quiet.pages = quiet.ncpus * each / PAGE_SIZE + 1;
	quiet.memory = page_alloc(quiet.pages);
	if (!quiet.memory)
		return false;
	quiet.values = quiet.memory;
	quiet.before = (void *)(quiet.values + quiet.ncpus);
	quiet.after = quiet.before + quiet.ncpus;
	return true;
}

/* Counts of disturbing events are read last before the measurement, and first after it. */
int quiet_begin(bool set, const struct knob_choice *choice, struct reason *why)
{
	if (!reserve_memory()) {
		quiet.ncpus = 0;
		return refuse(why, ENOMEM, "no memory for the registers of all CPUs");
	}
	quiet.set = set;
	call = (struct quiet_call){.choice = choice, .noise = quiet.before, .fresh = true};
	on_each_cpu(begin_stealing);
	on_each_cpu(read_knobs);
	if (set)
		on_each_cpu(set_knobs);
	compare_tscs(quiet.before);
	on_each_cpu(read_noise);
	return 0;
}

static uint64_t memory_mts(void)
{
	const uint32_t told = smbios_names()->memory_mts;

	return told ? told : NOISE_UNKNOWN;
}

void quiet_look(struct noise_certificate *certificate)
{
	const struct noise_input in = {
		.before = quiet.before,
		.after = quiet.after,
		.ncpus = quiet.ncpus,
		.values = (const void *)quiet.values,
		.quiet = quiet.set,
		.microcode = machine_caps()->microcode ? machine_caps()->microcode : NOISE_UNKNOWN,
		.memory_mts = memory_mts(),
	};

	call.noise = quiet.after;
	call.fresh = false;
	on_each_cpu(read_noise);
	compare_tscs(quiet.after);
	noise_judge(&in, certificate);
}

uint32_t quiet_end(void)
{
	uint32_t failed = 0;

	if (!quiet.ncpus)
		return 0;
	on_each_cpu(end_stealing);
	if (quiet.set)
		on_each_cpu(restore_knobs);
	for (unsigned i = 0; i < quiet.ncpus; i++)
		failed |= call.failed[i];
	page_free(quiet.memory, quiet.pages);
	quiet.ncpus = 0;
	return failed;
}

const struct knob_value *quiet_states(unsigned cpu)
{
	return quiet.values[cpu];
}

bool quiet_is_default(void)
{
	return !machine_caps()->hypervisor;
}
