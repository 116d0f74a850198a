// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpu_shared.c - the only state of vpmu that CPUs share. Each CPU publishes how much it has
 * executed and how late it has met an overflow; it alone writes these, and all may read them. Any
 * CPU may announce that the counts of QEMU's plugin are lost. One CPU at a time holds a package.
 * The core and package of a CPU follow from its APIC id, by the layout of the personality.
 */
#include "vpmu/svm/count/cpu_shared.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/count/guest_clock.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define MAX_PACKAGES 8 /* further packages share these, by number modulo 8 */

static struct {
	struct member {
		uint64_t instructions, skid;
		uint32_t core, package;
		bool joined;
	} cpus[VPMU_MAX_CPUS]; /* by number */
	struct {
		uint32_t holder; /* 1 + the CPU's number; 0: none */
		struct vpmu_package state;
	} packages[MAX_PACKAGES];
	unsigned joined; /* 1 + the highest number of a CPU that has joined */
	bool lost;
} shared;

struct vpmu_faults vpmu_faults;

static struct member *member_of(const struct vpmu_cpu *cpu)
{
	return &shared.cpus[cpu->host.number];
}

/* The number of APIC id bits below those of the package. SDM vol. 2, "CPUID", leaf 0BH. */
static unsigned package_shift(const struct vpmu_cpu *cpu)
{
	const uint32_t extended_topology = 0xb, cores = 1;
	struct cpuid_regs r = insn_cpuid(extended_topology, cores);

	vpmu_model_cpuid(&cpu->model, extended_topology, cores, &r);
	return r.eax & 0x1f;
}

static uint32_t *holder_of(const struct member *m)
{
	return &shared.packages[m->package].holder;
}

static void take_package(const struct vpmu_cpu *cpu)
{
	uint32_t *const holder = holder_of(member_of(cpu));
	uint32_t none;

	do {
		while (__atomic_load_n(holder, __ATOMIC_RELAXED))
			cpu_pause();
		none = 0;
	} while (!__atomic_compare_exchange_n(holder, &none, cpu->host.number + 1, false,
					      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
}

static void release_package(const struct vpmu_cpu *cpu)
{
	__atomic_store_n(holder_of(member_of(cpu)), 0, __ATOMIC_RELEASE);
}

/* QEMU resets a CPU by INIT at any point, even with GIF clear. Only the CPU itself can release the
 * package that it held then. */
static void release_before_reset(const struct vpmu_cpu *cpu)
{
	if (__atomic_load_n(holder_of(member_of(cpu)), __ATOMIC_RELAXED) == cpu->host.number + 1)
		release_package(cpu);
}

static void count_joined(unsigned n)
{
	unsigned joined = __atomic_load_n(&shared.joined, __ATOMIC_RELAXED);

	while (joined < n && !__atomic_compare_exchange_n(&shared.joined, &joined, n, false,
							  __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

void vpmu_shared_join(struct vpmu_cpu *cpu)
{
	struct member *m = member_of(cpu);

	m->core = cpu->host.apic_id / cpu->model.machine.threads;
	m->package = (cpu->host.apic_id >> package_shift(cpu)) % MAX_PACKAGES;
	release_before_reset(cpu);
	__atomic_store_n(&m->joined, true, __ATOMIC_RELEASE);
	count_joined(cpu->host.number + 1);
}

void vpmu_shared_executed(const struct vpmu_cpu *cpu, uint64_t n)
{
	uint64_t *sum = &member_of(cpu)->instructions;

	__atomic_store_n(sum, *sum + n, __ATOMIC_RELAXED);
}

void vpmu_shared_met_late(const struct vpmu_cpu *cpu, uint64_t instructions)
{
	__atomic_store_n(&member_of(cpu)->skid, instructions, __ATOMIC_RELAXED);
}

uint64_t vpmu_shared_skid(void)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < VPMU_MAX_CPUS; i++) {
		const uint64_t skid = __atomic_load_n(&shared.cpus[i].skid, __ATOMIC_RELAXED);

		most = skid > most ? skid : most;
	}
	return most;
}

void vpmu_shared_lose(void)
{
	__atomic_store_n(&shared.lost, true, __ATOMIC_RELAXED);
}

bool vpmu_shared_is_lost(void)
{
	return __atomic_load_n(&shared.lost, __ATOMIC_RELAXED);
}

static void sum_up(const struct member *self, struct vpmu_elapsed *now)
{
	const unsigned joined = __atomic_load_n(&shared.joined, __ATOMIC_ACQUIRE);

	for (unsigned i = 0; i < joined; i++) {
		const struct member *m = &shared.cpus[i];
		uint64_t n;

		if (!__atomic_load_n(&m->joined, __ATOMIC_ACQUIRE) || m->package != self->package)
			continue;
		n = __atomic_load_n(&m->instructions, __ATOMIC_RELAXED);
		now->package_instructions += n;
		now->core_instructions += m->core == self->core ? n : 0;
	}
}

void vpmu_shared_lock(struct vpmu_cpu *cpu, struct vpmu_platform *platform)
{
	const struct member *self = member_of(cpu);

	take_package(cpu);
	*platform = (struct vpmu_platform){
		.uarch = cpu->model.uarch,
		.thread = &cpu->thread,
		.package = &shared.packages[self->package].state,
		.faults = &vpmu_faults,
		.no_turbo = cpu->model.regs.misc_enable & MISC_ENABLE_NO_TURBO,
		.now = {.tsc = cpu->clock.exact ? vpmu_clock_then(cpu) : rdtsc(),
			.instructions = self->instructions,
			.cycles = vpmu_clock_cycles(cpu, self->instructions)},
	};
	sum_up(self, &platform->now);
	vpmu_platform_settle(platform);
}

void vpmu_shared_unlock(const struct vpmu_cpu *cpu)
{
	release_package(cpu);
}
