// SPDX-License-Identifier: BSD-2-Clause
/* shim_machine.c - see shim_machine.h. */
#include "tests/shim/shim_machine.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "tests/shim/shake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USER_IP   0x400000
#define KERNEL_IP 0xffff0000

_Thread_local struct shim shim;

void shim_boot(const char *uarch, bool ht_on)
{
	const struct vpmu_uarch *row = vpmu_uarch_find(uarch);

	if (!row) {
		fprintf(stderr, "no personality '%s'\n", uarch);
		abort();
	}
	shim = (struct shim){.ns = 1000, .ip = {KERNEL_IP, USER_IP}};
	vpmu_model_init(&shim.model, row, ht_on, 1);
}

/* Passes a PMI through LVTPC. Returns whether it becomes an NMI. */
static bool pmi(void)
{
	if (!vpmu_model_deliver(&shim.model))
		return false;
	if (shim.lvtpc_masked) {
		shim.dropped_pmis++;
		return false;
	}
	shim.lvtpc_masked = shim.model.uarch->lvtpc_masks;
	return true;
}

static void deliver(void)
{
	bool user = shim.ring == VPMU_USR;
	enum vpmu_ring interrupted = shim.ring;

	shim.in_flight = false;
	if (!pmi() && !vpmu_model_ibs_deliver(&shim.model))
		return;
	shim.nmis++;
	shim.in_nmi = true;
	shim.ring = VPMU_OS;
	if (!shim.nmi || !shim.nmi(shim.ip[interrupted], user))
		shim.unknown_nmis++;
	shim.ring = interrupted;
	shim.in_nmi = false;
}

/* After an overflow, or after an NMI with a pending overflow, sends the next NMI on its way. */
static void notice_pmi(void)
{
	if ((!shim.model.pmi.pending && !shim.model.ibs.interrupts) || shim.in_flight)
		return;
	shim.in_flight = true;
	shim.delay_left = shim.nmi_delay;
}

/* The machine's memory is the memory of the test. */
static bool read_memory(uint64_t va, void *buf, size_t n)
{
	memcpy(buf, (const void *)(uintptr_t)va, n);
	return true;
}

static bool write_memory(uint64_t va, const void *buf, size_t n)
{
	memcpy((void *)(uintptr_t)va, buf, n);
	return true;
}

/* An instruction has one byte. Registers other than RIP are made up. */
static void record_due(enum vpmu_ring ring)
{
	static const struct vpmu_memory memory = {read_memory, write_memory};
	struct vpmu_state state = shim.state;

	if (!vpmu_model_due(&shim.model))
		return;
	state.eventing_ip = shim.ip[ring] - 1;
	state.rip = shim.ip[ring];
	state.tsc = shim.ns;
	vpmu_model_record(&shim.model, &state, &memory);
}

static void sample(enum vpmu_ring ring)
{
	struct vpmu_op op = shim.op;

	op.rip = shim.ip[ring] - 1;
	if (vpmu_model_ibs_waits(&shim.model))
		vpmu_model_ibs_pick(&shim.model, &op);
}

static void run_instructions(enum vpmu_ring ring, uint64_t instructions)
{
	struct vpmu_progress p = {0};

	p.instructions[ring] = instructions;
	p.cycles[ring] = instructions;
	p.ref_cycles[ring] = instructions;
	shim.ring = ring;
	shim.ip[ring] += instructions;
	if (shim.pmu == SHIM_PMU_WORKS)
		vpmu_model_advance(&shim.model, &p);
	record_due(ring);
	sample(ring);
	if (shim.in_flight)
		shim.delay_left -=
			instructions < shim.delay_left ? (unsigned)instructions : shim.delay_left;
	notice_pmi();
}

static void deliver_due(void)
{
	while (shim.in_flight && !shim.delay_left && !shim.in_nmi)
		deliver();
}

/* Runs up to the next overflow or NMI. */
static uint64_t next_step(enum vpmu_ring ring, uint64_t limit)
{
	uint64_t step = shim.in_flight ? shim.delay_left : vpmu_model_until(&shim.model, ring);

	return step < limit ? step : limit;
}

void shim_run(enum vpmu_ring ring, uint64_t instructions)
{
	while (instructions) {
		uint64_t step;

		shim.ring = ring;
		deliver_due();
		step = next_step(ring, instructions);
		shim.ns += step;
		run_instructions(ring, step);
		instructions -= step;
	}
	deliver_due();
	shim.ring = VPMU_OS;
}

/* One instruction of ring 0: what an NMI handler executes counts in ring 0 as well. */
static void one_instruction(void)
{
	shake();
	run_instructions(VPMU_OS, 1);
}

static void after_access(void)
{
	notice_pmi();
	deliver_due();
}

uint64_t shim_cr3;

uint64_t shim_clock_ns(void)
{
	return shim.ns;
}

void shim_lvtpc_unmask(void)
{
	shim.lvtpc_masked = false;
}

/* --- The names of arch/x86/insn.h --- */

#define CPUID_1_EDX_MCA (1u << 14)

struct cpuid_regs insn_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = {0};

	if (shim.is_vpmu && vpmu_model_describe(&shim.model, leaf, subleaf, &r))
		return r;
	vpmu_model_cpuid(&shim.model, leaf, subleaf, &r);
	if (leaf == 1)
		r.edx |= CPUID_1_EDX_MCA;
	if (leaf == 0xb)
		r.edx = shim.apic_id;
	return r;
}

uint64_t rdtsc(void)
{
	one_instruction();
	after_access();
	return shim.ns;
}

static struct shim_msr *find_msr(uint32_t msr)
{
	struct shim_msr *m = shim.msrs;

	while (m && m->msr && m->msr != msr)
		m++;
	return m && m->msr ? m : NULL;
}

/* Reads the current time; each tick is an instruction. */
static struct vpmu_platform platform_now(void)
{
	const struct vpmu_platform p = {
		.uarch = shim.model.uarch,
		.thread = &shim.thread,
		.package = &shim.package,
		.faults = &shim.platform_faults,
		.no_turbo = shim.model.regs.misc_enable & MISC_ENABLE_NO_TURBO,
		.now = {shim.ns, shim.ns, shim.ns, shim.ns, shim.ns},
	};

	vpmu_platform_settle(&p);
	return p;
}

static bool is_of_platform(uint32_t msr)
{
	return shim.has_platform && vpmu_platform_names(shim.model.uarch, msr);
}

/* Every machine has it. Without a platform its microcode is of no known revision. */
static bool is_plain_microcode(uint32_t msr)
{
	return !shim.has_platform && msr == MSR_IA32_BIOS_SIGN_ID;
}

static bool is_refused(uint32_t msr)
{
	return shim.has_platform && vpmu_platform_refuses(&shim.platform_faults, msr);
}

static bool read_modelled_msr(uint32_t msr, uint64_t *value)
{
	const struct shim_msr *m = find_msr(msr);

	if (is_refused(msr))
		return false;
	if (is_of_platform(msr)) {
		const struct vpmu_platform p = platform_now();

		return vpmu_platform_rdmsr(&p, msr, value) == VPMU_DONE;
	}
	if (m)
		*value = m->value;
	return m || is_plain_microcode(msr) ||
	       vpmu_model_rdmsr(&shim.model, msr, value) == VPMU_DONE;
}

static bool write_model(uint32_t msr, uint64_t value)
{
	struct shim_msr *m = find_msr(msr);

	if (is_refused(msr))
		return false;
	if (shim.has_platform) {
		const struct vpmu_platform p = platform_now();

		if (is_of_platform(msr))
			return vpmu_platform_wrmsr(&p, msr, value) == VPMU_DONE;
	}
	if (m)
		m->value = value;
	return m || is_plain_microcode(msr) ||
	       vpmu_model_wrmsr(&shim.model, msr, value) == VPMU_DONE;
}

bool rdmsr_safe(uint32_t msr, uint64_t *value)
{
	bool ok;

	*value = 0;
	if (shim.pmu == SHIM_PMU_FAULTS)
		return false;
	if (shim.pmu == SHIM_PMU_IGNORES)
		return true;
	one_instruction();
	ok = read_modelled_msr(msr, value);
	shim.faults += !ok;
	after_access();
	return ok;
}

bool wrmsr_safe(uint32_t msr, uint64_t value)
{
	bool ok;

	if (shim.pmu == SHIM_PMU_FAULTS)
		return false;
	if (shim.pmu == SHIM_PMU_IGNORES)
		return true;
	one_instruction();
	ok = write_model(msr, value);
	shim.faults += !ok;
	shim.wrmsrs++;
	shim.ns += shim.wrmsr_ns;
	after_access();
	return ok;
}

bool rdpmc_safe(uint32_t index, uint64_t *value)
{
	bool ok;

	*value = 0;
	if (shim.pmu == SHIM_PMU_FAULTS)
		return false;
	if (shim.pmu == SHIM_PMU_IGNORES)
		return true;
	one_instruction();
	ok = vpmu_model_rdpmc(&shim.model, index, value) == VPMU_DONE;
	shim.faults += !ok;
	after_access();
	return ok;
}

static void must(bool ok, const char *what, uint32_t number)
{
	if (ok)
		return;
	fprintf(stderr, "#GP: %s 0x%x\n", what, number);
	abort();
}

uint64_t rdmsr(uint32_t msr)
{
	uint64_t value;

	must(rdmsr_safe(msr, &value), "RDMSR", msr);
	return value;
}

void wrmsr(uint32_t msr, uint64_t value)
{
	must(wrmsr_safe(msr, value), "WRMSR", msr);
}

uint64_t rdpmc(uint32_t index)
{
	uint64_t value;

	must(rdpmc_safe(index, &value), "RDPMC", index);
	return value;
}

#define SHIM_DR(n)                   \
	uint64_t read_dr##n(void)    \
	{                            \
		return shim.dr[n];   \
	}                            \
	void write_dr##n(uint64_t v) \
	{                            \
		shim.dr[n] = v;      \
	}
SHIM_DR(0)
SHIM_DR(1)
SHIM_DR(2)
SHIM_DR(3)
SHIM_DR(6)
SHIM_DR(7)
#undef SHIM_DR
