// SPDX-License-Identifier: BSD-2-Clause
/*
 * quick.c - exits that are over at once. Most that there are read or write a counter, or another
 * register of the PMU, while all goes on as it did: nothing is due, no event waits, the run to come
 * is like the last one. Then neither the model is told what was executed, nor the run prepared
 * anew, nor the timer set: what was executed is owed, and the next exit that is not quick pays it
 * (vpmu_quick_settle()). A counter that is on is what it was, and what is owed.
 *
 * The timer was set for the guest alone, so what a quick exit takes brings it early. That is no
 * harm: it is set again then.
 *
 * vpmu_quick() is called by run.S before the guest's registers are saved. It leaves alone those
 * that it does not use, saves the others itself, and has few instructions:
 * tests/e2e/machine/costs.sh counts them.
 */
#include "arch/x86/insn.h"
#include "vpmu/model/model_quick.h"
#include "vpmu/svm/vpmu.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define QUICK_LENGTH 2 /* of RDMSR, WRMSR, RDPMC and CPUID: such as have prefixes are not quick */

#define PAGE_BYTES 4096ull
#define LEAST_CODE 0x100000ull /* what lies below may be code of real mode */

/* Ticks of what was executed, that are owed. */
static inline uint64_t owed_before(const struct vpmu_cpu *cpu)
{
	return cpu->quick.owed + cpu->exit_tsc - cpu->entry_tsc - cpu->overhead;
}

static inline bool is_in_time(const struct vpmu_cpu *cpu, uint64_t before)
{
	if (unlikely(before >= cpu->quick.room))
		return false;
	if (unlikely(vpmu_vmcb.rflags & (RFLAGS_TF | RFLAGS_RF)))
		return false;
	return !unlikely(vpmu_vmcb.int_state & INT_STATE_SHADOW);
}

/* --- Which registers --- */

static struct vpmu_quick_msr *quick_msr(uint32_t msr)
{
	return &vpmu_cpu.quick.msr[(msr ^ msr >> QUICK_HASH) % QUICK_MSRS];
}

void vpmu_quick_add(struct vpmu_cpu *cpu, uint32_t msr)
{
	const struct vpmu_quick_place read = vpmu_model_quick_rdmsr(&cpu->model, msr),
				      write = vpmu_model_quick_wrmsr(&cpu->model, msr);

	if (read.kind || write.kind)
		*quick_msr(msr) = (struct vpmu_quick_msr){
			.msr = msr,
			.read = (uint8_t)read.kind,
			.write = (uint8_t)write.kind,
			.counter = read.counter ? read.counter : write.counter,
			.value = read.value,
		};
}

/* --- Which code --- */

/* As a word in memory has it: what has prefixes is not quick. */
static const uint16_t quick_codes[QUICK_CODES] = {
	[QUICK_RDPMC] = 0x330f,
	[QUICK_RDMSR] = 0x320f,
	[QUICK_WRMSR] = 0x300f,
	[QUICK_CPUID] = 0xa20f,
};

/* In the page of code that has this key; elsewhere it is more than a page. */
static inline uint64_t offset_in(uint64_t key)
{
	return vpmu_vmcb.rip ^ vpmu_vmcb.cr3 ^ key;
}

/*
 * The instruction at RIP is just this one. Where the pages that such ones lie in are in memory is
 * remembered from the last exits there that were not quick; what is there is looked at each time.
 */
static inline bool is_code(const struct vpmu_cpu *cpu, enum vpmu_quick_code kind)
{
	const struct vpmu_quick_page *page = cpu->quick.pages[kind];
	uint64_t offset = offset_in(page->key);

	if (unlikely(offset >= PAGE_BYTES - 1)) {
		page++;
		offset = offset_in(page->key);
		if (offset >= PAGE_BYTES - 1)
			return false;
	}
	return likely(*(const uint16_t *)(page->physical + offset) == quick_codes[kind]);
}

static void remember_page(struct vpmu_quick_page pages[2], struct vpmu_quick_page page)
{
	if (pages[1].key == page.key) {
		pages[1] = page;
		return;
	}
	if (pages[0].key != page.key)
		pages[1] = pages[0];
	pages[0] = page;
}

/* QUICK_CODES: of none that could have been quick. */
static enum vpmu_quick_code kind_of_exit(const struct vpmu_cpu *cpu)
{
	const struct vpmu_quick_msr *q = quick_msr((uint32_t)cpu->rcx);

	if (vpmu_vmcb.exit_code == VMEXIT_RDPMC)
		return QUICK_RDPMC;
	if (vpmu_vmcb.exit_code == VMEXIT_CPUID)
		return QUICK_CPUID;
	if (vpmu_vmcb.exit_code != VMEXIT_MSR || q->msr != (uint32_t)cpu->rcx)
		return QUICK_CODES;
	if (vpmu_vmcb.exit_info1 & 1)
		return q->write ? QUICK_WRMSR : QUICK_CODES;
	return q->read ? QUICK_RDMSR : QUICK_CODES;
}

void vpmu_quick_learn(struct vpmu_cpu *cpu)
{
	const enum vpmu_quick_code kind = kind_of_exit(cpu);
	const uint64_t at = vpmu_vmcb.rip & ~(PAGE_BYTES - 1);
	struct vpmu_quick_page page = {.key = at ^ vpmu_vmcb.cr3};

	if (kind == QUICK_CODES || at < LEAST_CODE || !vpmu_guest_physical(at, &page.physical))
		return;
	remember_page(cpu->quick.pages[kind], page);
}

/* Numbers of RDPMC that are the core's. */
static unsigned count_quick(const struct vpmu_cpu *cpu)
{
	unsigned n = 0;

	while (n < cpu->model.ngp && !vpmu_platform_counts(cpu->model.uarch, n))
		n++;
	return n;
}

void vpmu_quick_init(struct vpmu_cpu *cpu)
{
	cpu->quick.general = count_quick(cpu);
	cpu->quick.fixed = cpu->model.nfixed;
}

/* --- When --- */

/* Of the run that is about to be, and of what comes behind it. */
static bool goes_on(const struct vpmu_cpu *cpu)
{
	const bool waits = cpu->nmi_pending || cpu->nmi_later_at || cpu->intr_due ||
			   cpu->interrupt || vpmu_event_set();
	const bool is_stopped = cpu->fence || cpu->nmi_iret || cpu->stop.armed || cpu->step.once ||
				cpu->extended_apic.steps || cpu->apic_write.is_expected;

	return cpu->exact && cpu->run != RUN_STEP && !waits && !is_stopped &&
	       !vpmu_vmcb.tlb_control && !cpu->events.sums && !cpu->always_step;
}

static uint64_t quick_instructions(const struct vpmu_cpu *cpu)
{
	if (!goes_on(cpu) || !cpu->until || !vpmu_model_is_plain(&cpu->model))
		return 0;
	return (cpu->until < VPMU_PLAIN_MOST ? cpu->until : VPMU_PLAIN_MOST) - 1;
}

void vpmu_quick_expect(struct vpmu_cpu *cpu)
{
	cpu->quick.room = quick_instructions(cpu) * cpu->ticks_per_insn;
	cpu->quick.ring = cpu->run == RUN_TRACK_USR ? VPMU_USR : VPMU_OS;
}

/* --- An exit --- */

/* The guest's instruction is over. */
static inline void end_quickly(struct vpmu_cpu *cpu, uint64_t before)
{
	cpu->quick.owed = before + cpu->ticks_per_insn;
	cpu->exits++;
	vpmu_vmcb.rip += QUICK_LENGTH;
}

bool vpmu_quick_cpuid(const struct vpmu_cpu *cpu)
{
	return is_in_time(cpu, owed_before(cpu)) && is_code(cpu, QUICK_CPUID);
}

void vpmu_quick_end(struct vpmu_cpu *cpu)
{
	end_quickly(cpu, owed_before(cpu));
}

static inline bool return_quickly(struct vpmu_cpu *cpu, uint64_t before, uint64_t v)
{
	vpmu_vmcb.rax = (uint32_t)v;
	cpu->rdx = v >> 32;
	end_quickly(cpu, before);
	return true;
}

static inline bool read_quickly(struct vpmu_cpu *cpu, uint64_t before, const struct vpmu_counter *c)
{
	const uint64_t n = before / cpu->ticks_per_insn;

	return return_quickly(cpu, before, vpmu_counter_now(c, cpu->quick.ring, n));
}

static inline bool rdpmc_quickly(struct vpmu_cpu *cpu, uint64_t before, uint32_t ecx)
{
	const uint32_t fixed = ecx - QUICK_FIXED;

	if (vpmu_vmcb.cpl && !(vpmu_vmcb.cr4 & CR4_PCE))
		return false;
	if (likely(fixed < cpu->quick.fixed))
		return read_quickly(cpu, before, &cpu->model.fixed[fixed]);
	return ecx < cpu->quick.general && read_quickly(cpu, before, &cpu->model.gp[ecx]);
}

static inline bool rdmsr_quickly(struct vpmu_cpu *cpu, uint64_t before,
				 const struct vpmu_quick_msr *q)
{
	if (likely(q->read == VPMU_QUICK_COUNTER))
		return read_quickly(cpu, before, q->counter);
	return q->read && return_quickly(cpu, before, *q->value);
}

static inline bool write_register(struct vpmu_model *m, const struct vpmu_quick_msr *q, uint64_t v)
{
	switch (q->write) {
	case VPMU_QUICK_COUNTER:
		return vpmu_quick_write_counter(m, q->counter, v);
	case VPMU_QUICK_COUNTER_32:
		return vpmu_quick_write_counter(m, q->counter,
						(uint64_t)(int64_t)(int32_t)v & m->counter_mask);
	case VPMU_QUICK_STATUS_RESET:
		return vpmu_quick_reset_status(m, v);
	default:
		return false;
	}
}

static inline bool wrmsr_quickly(struct vpmu_cpu *cpu, uint64_t before,
				 const struct vpmu_quick_msr *q)
{
	if (!write_register(&cpu->model, q, (uint32_t)vpmu_vmcb.rax | cpu->rdx << 32))
		return false;
	end_quickly(cpu, before);
	return true;
}

static inline bool is_over_quickly(struct vpmu_cpu *cpu, uint32_t ecx)
{
	const uint64_t before = owed_before(cpu);
	const struct vpmu_quick_msr *q;

	if (!is_in_time(cpu, before))
		return false;
	if (likely(vpmu_vmcb.exit_code == VMEXIT_RDPMC))
		return is_code(cpu, QUICK_RDPMC) && rdpmc_quickly(cpu, before, ecx);
	if (unlikely(vpmu_vmcb.exit_code != VMEXIT_MSR))
		return false;
	q = quick_msr(ecx);
	if (unlikely(q->msr != ecx))
		return false;
	if (vpmu_vmcb.exit_info1 & 1)
		return is_code(cpu, QUICK_WRMSR) && wrmsr_quickly(cpu, before, q);
	return is_code(cpu, QUICK_RDMSR) && rdmsr_quickly(cpu, before, q);
}

/* RDX is the caller's already: whatever is in it will do. */
QUICK_CALL struct vpmu_quick_end vpmu_quick(uint64_t rdi, uint64_t rsi, uint64_t rdx, uint64_t rcx)
{
	struct vpmu_quick_end end;

	(void)rdi;
	(void)rsi;
	(void)rdx;
	end.over = is_over_quickly(&vpmu_cpu, (uint32_t)rcx);
	__asm__("" : "=r"(end.rdx));
	return end;
}

uint64_t vpmu_quick_owed(struct vpmu_cpu *cpu)
{
	const uint64_t n = cpu->quick.owed / cpu->ticks_per_insn;

	cpu->quick.owed = 0;
	cpu->until -= n;
	cpu->timer.is_early |= n != 0;
	return n;
}
