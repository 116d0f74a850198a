// SPDX-License-Identifier: BSD-2-Clause
/*
 * quick_exit.c - exits that are completed at once. Most exits read or write a counter, or another
 * register of the PMU, and change nothing else: nothing is due, no event waits, the next run is
 * like the last one. Such an exit neither tells the model what was executed, nor prepares the run,
 * nor sets the timer. Its instructions are owed, and the next slow exit accounts for them
 * (vpmu_quick_settle()). The value of a running counter is the model's value plus the owed
 * instructions.
 *
 * The timer was set for the guest alone, so the time of quick exits makes it early. That is
 * harmless, because vpmu then sets it again.
 *
 * vmrun.S completes most of them before it saves the guest's registers: reads of counters, and
 * writes to stopped ones. This file prepares its tables, and completes those that need the
 * registers: CPUID, and writes that reset the status.
 */
#include "vpmu/svm/count/quick_exit.h"

#include "vpmu/svm/vcpu/event_inject.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define PAGE_BYTES 4096ull
#define LEAST_CODE 0x100000ull /* code below may be real-mode code */

/* --- Which registers --- */

void vpmu_quick_add(struct vpmu_cpu *cpu, uint32_t msr)
{
	vpmu_quick_add_msr(&cpu->quick.registers, &cpu->model, msr);
}

/* Adds the core's counters. */
static void add_core_counters(struct vpmu_cpu *cpu)
{
	for (uint32_t i = 0; i < VPMU_MAX_GP; i++)
		if (!vpmu_platform_counts(cpu->model.uarch, i))
			vpmu_quick_add_rdpmc(&cpu->quick.registers, &cpu->model, i);
	for (uint32_t i = 0; i < VPMU_MAX_FIXED; i++)
		vpmu_quick_add_rdpmc(&cpu->quick.registers, &cpu->model, VPMU_RDPMC_FIXED + i);
}

void vpmu_quick_forget(struct vpmu_cpu *cpu)
{
	for (unsigned kind = 0; kind < QUICK_CODES; kind++) {
		cpu->quick.pages[kind][0].key = QUICK_NO_PAGE;
		cpu->quick.pages[kind][1].key = 0;
	}
}

void vpmu_quick_init(struct vpmu_cpu *cpu)
{
	cpu->quick.beside = -(uint64_t)RUN_HOST_INSNS;
	cpu->quick.again = vpmu_run_guest;
	cpu->quick.mask = cpu->model.layout.counter_mask;
	vpmu_quick_registers_init(&cpu->quick.registers);
	add_core_counters(cpu);
	vpmu_quick_forget(cpu);
}

/* --- Code: an instruction with prefixes is not quick --- */

/* Reads two bytes, because code is not aligned. */
static uint16_t code_word_at(uint64_t physical)
{
	const uint8_t *bytes = (const uint8_t *)physical;

	return (uint16_t)(bytes[0] | bytes[1] << 8);
}

/*
 * True where the instruction at RIP is exactly this one, without prefixes. The physical pages of
 * such instructions are remembered from the last slow exits there, and their bytes are read each
 * time. If RIP is in the page with that key, `offset` is below the page's size; otherwise it is
 * not.
 */
static inline __attribute__((always_inline)) bool is_code(const struct vpmu_cpu *cpu,
							  enum vpmu_quick_code kind)
{
	static const uint16_t codes[QUICK_CODES] = {
		[QUICK_RDPMC] = CODE_RDPMC,
		[QUICK_RDMSR] = CODE_RDMSR,
		[QUICK_WRMSR] = CODE_WRMSR,
		[QUICK_CPUID] = CODE_CPUID,
	};
	const struct vpmu_quick_page *page = cpu->quick.pages[kind];
	uint64_t offset = vpmu_vmcb.rip ^ vpmu_vmcb.cr3 ^ page->key;

	if (offset > CODE_LAST) {
		page++;
		offset ^= page->key;
	}
	return offset <= CODE_LAST && code_word_at(page->physical + offset) == codes[kind];
}

static void remember_page(struct vpmu_quick_page pages[2], struct vpmu_quick_page page)
{
	struct vpmu_quick_page first = page, second = pages[1];

	second.key ^= pages[0].key;
	if (second.key == page.key) {
		first = pages[0];
		second = page;
	} else if (pages[0].key != page.key) {
		second = pages[0];
	}
	second.key ^= first.key;
	pages[0] = first;
	pages[1] = second;
}

/* The kind of the exit; QUICK_CODES: no exit of this instruction is quick. */
static enum vpmu_quick_code kind_of_exit(const struct vpmu_cpu *cpu)
{
	const struct vpmu_quick_registers *registers = &cpu->quick.registers;
	const uint32_t ecx = (uint32_t)cpu->gpr.rcx;

	if (vpmu_vmcb.exit_code == VMEXIT_RDPMC)
		return QUICK_RDPMC;
	if (vpmu_vmcb.exit_code == VMEXIT_CPUID)
		return QUICK_CPUID;
	if (vpmu_vmcb.exit_code != VMEXIT_MSR)
		return QUICK_CODES;
	if (vpmu_vmcb.exit_info1 & MSR_IS_WRITTEN)
		return vpmu_quick_writes_msr(registers, ecx) ? QUICK_WRMSR : QUICK_CODES;
	return vpmu_quick_reads_msr(registers, ecx) ? QUICK_RDMSR : QUICK_CODES;
}

/* Code in a segment with a base other than 0 is not found by RIP, and is left out. */
void vpmu_quick_learn(struct vpmu_cpu *cpu)
{
	const enum vpmu_quick_code kind = kind_of_exit(cpu);
	const uint64_t at = vpmu_vmcb.rip & ~(PAGE_BYTES - 1);
	struct vpmu_quick_page page = {.key = at ^ vpmu_vmcb.cr3};

	if (kind == QUICK_CODES || at < LEAST_CODE || vpmu_guest_linear_rip() != vpmu_vmcb.rip ||
	    !vpmu_guest_physical(at, &page.physical))
		return;
	remember_page(cpu->quick.pages[kind], page);
}

/* --- When --- */

/* An event other than an NMI. An NMI has been delivered once an instruction exits, and the CPU has
 * cleared EVENTINJ. An interrupt ends the run by a fence, and an exception may lead to a double
 * fault. */
static bool delivers_more(void)
{
	return vpmu_event_set() && (vpmu_vmcb.event_inj & EVENT_TYPE) != EVENT_NMI;
}

/* True where neither the next run nor its end needs a slow exit. */
static bool may_stay_quick(const struct vpmu_cpu *cpu)
{
	const bool waits = cpu->nmi.is_pending || cpu->nmi.later_at || cpu->interrupts.is_due ||
			   cpu->interrupts.vector || delivers_more();
	const bool is_stopped = cpu->nmi.fence || cpu->nmi.ends_by_iret || cpu->stop.armed ||
				cpu->step.once || cpu->extended_apic.steps ||
				cpu->apic_write.is_expected;

	return cpu->clock.exact && cpu->run.mode != RUN_STEP && !waits && !is_stopped &&
	       !vpmu_vmcb.tlb_control && !cpu->events.sums && !cpu->run.always_step;
}

static uint64_t quick_instructions(const struct vpmu_cpu *cpu)
{
	if (!may_stay_quick(cpu) || !cpu->run.until || !vpmu_model_is_plain(&cpu->model))
		return 0;
	return (cpu->run.until < VPMU_PLAIN_MOST ? cpu->run.until : VPMU_PLAIN_MOST) - 1;
}

void vpmu_quick_expect(struct vpmu_cpu *cpu)
{
	cpu->quick.room = quick_instructions(cpu);
	cpu->quick.ring = cpu->run.mode == RUN_TRACK_USR ? VPMU_USR : VPMU_OS;
}

/* True where the end of the guest's instruction has no other effect: no trap, and no shadow or RF
 * that ends. */
static bool ends_alone(void)
{
	return !(vpmu_vmcb.rflags & RFLAGS_TRAP_OR_RESUME) &&
	       !(vpmu_vmcb.int_state & INT_STATE_SHADOW);
}

/* The number of instructions that the guest has executed and that the model does not know yet. */
static uint64_t not_told(const struct vpmu_cpu *cpu)
{
	return (cpu->vmrun.exit_tsc - cpu->vmrun.entry_tsc) / cpu->vmrun.ticks_per_insn +
	       cpu->quick.beside;
}

/* --- An exit --- */

bool vpmu_quick_can(const struct vpmu_cpu *cpu, enum vpmu_quick_code kind)
{
	return ends_alone() && not_told(cpu) < cpu->quick.room && is_code(cpu, kind);
}

const uint8_t *vpmu_quick_end(struct vpmu_cpu *cpu)
{
	cpu->quick.beside = not_told(cpu) + 1 - RUN_HOST_INSNS;
	cpu->vmrun.exits++;
	vpmu_vmcb.rip += QUICK_LENGTH;
	return cpu->quick.again;
}

bool vpmu_quick_wrmsr(struct vpmu_cpu *cpu)
{
	const struct vpmu_quick_registers *registers = &cpu->quick.registers;
	const uint64_t v = (uint32_t)vpmu_vmcb.rax | cpu->gpr.rdx << 32;
	const uint32_t msr = (uint32_t)cpu->gpr.rcx;

	return vpmu_quick_reset(registers, &cpu->model, msr, v) ||
	       vpmu_quick_set(registers, &cpu->model, (enum vpmu_ring)cpu->quick.ring, msr, v);
}

uint64_t vpmu_quick_owed(const struct vpmu_cpu *cpu)
{
	return cpu->quick.beside + RUN_HOST_INSNS;
}

uint64_t vpmu_quick_settle(struct vpmu_cpu *cpu)
{
	const uint64_t n = vpmu_quick_owed(cpu);

	cpu->quick.beside = -(uint64_t)RUN_HOST_INSNS;
	cpu->run.until -= n;
	cpu->timer.is_early |= n != 0;
	return n;
}
