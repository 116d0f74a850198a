// SPDX-License-Identifier: BSD-2-Clause
/*
 * smp_start.c - starts the other CPUs: SDM vol. 3, "Multiple-Processor (MP) Initialization".
 *
 * One at a time. The boot CPU prepares tables, stack and `smp_boot`, sends INIT and two SIPIs, and
 * goes with the new one from step to step:
 *
 * 	boot CPU                                 new CPU
 * 	INIT, SIPI                               smp_entry.S, smp_begin()
 * 	                  <- STEP_ALIVE
 * 	asks for its TSC                         answers
 * 	compares TSCs     -> STEP_COMPARED
 * 	                  <- STEP_READY          begin()
 * 	asks for its TSC                         answers
 * 	it is online      -> STEP_ONLINE
 * 	                                         run()
 *
 * A CPU that does not report in time gets one more INIT. Otherwise it could start later, on a stack
 * that then belongs to another CPU. A CPU that cannot be used gets an INIT, too.
 */
#include "arch/x86/smp/smp_start.h"

#include "arch/x86/dev/acpi.h"
#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/portable/madt.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/mtrr.h"
#include "arch/x86/dev/nodes.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/cpu/stack.h"
#include "arch/x86/smp/trampoline.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/world/world.h"
#include "lib/by_cpu.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "lib/time.h"

#include <linux/errno.h>
#include <stddef.h>

#define INIT_NS                 (10 * NSEC_PER_MS)
#define SIPI_NS                 200000u
#define PATIENCE_NS             (SMP_PATIENCE_S * NSEC_PER_SEC)
#define LOW_MEMORY_END          0xa0000ull /* a SIPI can address 1 MiB, but memory ends earlier */
#define LOW_PAGES               2          /* the trampoline, and the table that CR3 names first */
#define EFI_CONVENTIONAL_MEMORY 7

#define ROUNDS       200
#define ROUNDS_LEAST 20 /* even if each round is slow */
#define ROUNDS_NS    (200 * NSEC_PER_MS)

enum step { STEP_ASLEEP, STEP_ALIVE, STEP_COMPARED, STEP_READY, STEP_ONLINE, STEP_FAILED };

/* The data that the new CPU finds; entry code uses the first two fields. */
struct smp_boot {
	uint64_t root, stack_top;
	struct paging_cpu paging;
	struct stack *stack;
	struct tsc tsc;
	int64_t tsc_offset;
	const struct smp_start *start;
	struct smp_cpu *cpu;
	struct world_cpu *lent; /* NULL: the firmware does not lend it */
	uint32_t step;          /* enum step */
};
_Static_assert(offsetof(struct smp_boot, root) == 0, "smp_entry.S");
_Static_assert(offsetof(struct smp_boot, stack_top) == 8, "smp_entry.S");
struct smp_boot smp_boot;

/* smp_entry.S */
void smp_entry(void);
_Noreturn void smp_begin(void);

static struct smp_cpu *found;
static unsigned nfound, nbeyond;
BY_CPU_STATIC(uint16_t, online); /* CPU number to its place in `found` */

unsigned smp_nfound(void)
{
	return nfound;
}

const struct smp_cpu *smp_found(unsigned i)
{
	return &found[i];
}

const struct smp_cpu *smp_online(unsigned cpu)
{
	return &found[online[cpu]];
}

static void note_cpu(struct smp_cpu *cpu)
{
	cpuid_place(&cpu->place);
	cpu->core_type = (uint8_t)cpuid_fact(CPUID_FACT(0x1a, 0, EAX, 24, 31));
}

static size_t named_ids(uint32_t *ids, size_t room)
{
	const struct acpi_header *madt = acpi_find("APIC", 0);

	return madt ? madt_apic_ids(madt, madt->length, ids, room) : 0;
}

/* Makes room for all CPUs that are named, and for this one, which may not be. */
static void *table_of_cpus(size_t n, size_t entry)
{
	void *table = page_alloc(pages_of((n + 1) * entry));

	if (!table)
		panic("no memory for a list of %zu CPUs", n);
	return table;
}

/* This CPU goes first, wherever the firmware names it. */
void smp_find(void)
{
	const size_t n = named_ids(NULL, 0);
	uint32_t *ids = table_of_cpus(n, sizeof(*ids));

	named_ids(ids, n);
	found = table_of_cpus(n < SMP_MAX_CPUS ? n : SMP_MAX_CPUS, sizeof(*found));
	found[0] = (struct smp_cpu){.apic_id = apic_id(), .state = SMP_ONLINE};
	note_cpu(&found[0]);
	nfound = 1;
	for (size_t i = 0; i < n; i++) {
		if (ids[i] == found[0].apic_id)
			continue;
		if (nfound == SMP_MAX_CPUS)
			nbeyond++;
		else
			found[nfound++] =
				(struct smp_cpu){.apic_id = ids[i], .state = SMP_LEFT_OUT};
	}
	for (unsigned i = 0; i < nfound; i++)
		found[i].node = nodes_of_apic(found[i].apic_id);
	page_set_here(found[0].node);
	page_free(ids, pages_of((n + 1) * sizeof(*ids)));
}

unsigned smp_nbeyond(void)
{
	return nbeyond;
}

/* --- Steps --- */

static void go_to_step(enum step step)
{
	__atomic_store_n(&smp_boot.step, step, __ATOMIC_RELEASE);
}

static bool is_at(enum step step)
{
	return __atomic_load_n(&smp_boot.step, __ATOMIC_ACQUIRE) >= (uint32_t)step;
}

/* False: the step did not come in time. */
static bool wait_for_step(enum step step, uint64_t ns)
{
	const uint64_t from = rdtsc(), ticks = tsc_from_ns(ns);

	while (!is_at(step)) {
		if (rdtsc() - from > ticks)
			return false;
		smp_serve();
		cpu_pause();
	}
	return true;
}

/* --- TSCs --- */

static struct {
	uint32_t question, answer;
	uint64_t tsc;
} ping __attribute__((aligned(64)));

static uint64_t ordered_tsc(void)
{
	uint64_t now;

	insn_lfence();
	now = rdtsc();
	insn_lfence();
	return now;
}

static bool is_true(const void *flag)
{
	return __atomic_load_n((const bool *)flag, __ATOMIC_ACQUIRE);
}

static bool is_at_step(const void *step)
{
	return is_at(*(const enum step *)step);
}

/* The other CPU's part, until there are no more questions. */
static void answer_until(bool (*is_over)(const void *arg), const void *arg)
{
	while (!is_over(arg)) {
		const uint32_t question = __atomic_load_n(&ping.question, __ATOMIC_ACQUIRE);

		if (question == ping.answer) {
			cpu_pause();
			continue;
		}
		ping.tsc = ordered_tsc();
		__atomic_store_n(&ping.answer, question, __ATOMIC_RELEASE);
	}
}

static void answer_tsc_rounds(enum step until)
{
	answer_until(is_at_step, &until);
}

static bool ask_once(struct tsc_bounds *bounds)
{
	const uint64_t before = ordered_tsc(), patience = tsc_from_ns(PATIENCE_NS);
	const uint32_t question = ping.question + 1;

	__atomic_store_n(&ping.question, question, __ATOMIC_RELEASE);
	while (__atomic_load_n(&ping.answer, __ATOMIC_ACQUIRE) != question)
		if (rdtsc() - before > patience)
			return false;
	tsc_bounds_add(bounds, before, ping.tsc, ordered_tsc());
	return true;
}

/* The boot CPU's part. False: no answer came. */
static bool ask_tsc_rounds(struct tsc_bounds *bounds)
{
	const uint64_t from = rdtsc(), most = tsc_from_ns(ROUNDS_NS);
	bool ok;

	*bounds = (struct tsc_bounds)TSC_BOUNDS_NONE;
	for (int round = 1; (ok = ask_once(bounds)) && round < ROUNDS; round++)
		if (round >= ROUNDS_LEAST && rdtsc() - from > most)
			break;
	return ok;
}

static void answer_call(void *over)
{
	answer_until(is_true, over);
}

static bool ask_and_end(struct tsc_bounds *bounds, bool *over)
{
	const bool ok = ask_tsc_rounds(bounds);

	__atomic_store_n(over, true, __ATOMIC_RELEASE);
	return ok;
}

int smp_compare_tsc(unsigned cpu, struct tsc_bounds *bounds)
{
	bool over = false, ok;
	struct smp_call call = {.fn = answer_call, .arg = &over};

	if (cpu >= smp_ncpus() || cpu == smp_cpu())
		return -EINVAL;
	smp_call_begin(cpu, &call);
	ok = ask_and_end(bounds, &over);
	smp_call_end(&call);
	return ok ? 0 : -ETIMEDOUT;
}

/* --- The new CPU --- */

static _Noreturn void idle_for_ever(void)
{
	for (;;) {
		irq_disable();
		cpu_halt();
	}
}

static bool come_up(void)
{
	if (trap_init_cpu())
		return false;
	mtrr_follow();
	paging_start_cpu(&smp_boot.paging);
	note_cpu(smp_boot.cpu);
	tsc_init_cpu(&smp_boot.tsc);
	return !apic_init_cpu();
}

static _Noreturn void return_cpu(struct world_cpu *lent)
{
	irq_disable();
	if (!lent)
		idle_for_ever();
	apic_return_cpu();
	world_return_cpu(lent);
}

static _Noreturn void give_up_start(void)
{
	struct world_cpu *lent = smp_boot.lent;

	go_to_step(STEP_FAILED);
	return_cpu(lent);
}

/* Called by smp_entry.S, on this CPU's stack and tables. */
_Noreturn void smp_begin(void)
{
	const struct smp_start *start = smp_boot.start;
	struct world_cpu *lent = smp_boot.lent;

	smp_this_cpu = smp_boot.cpu->number;
	page_set_here(smp_boot.cpu->node);
	stack_register(smp_boot.stack);
	if (!come_up())
		give_up_start();
	go_to_step(STEP_ALIVE);
	answer_tsc_rounds(STEP_COMPARED);
	tsc_set_offset(smp_boot.tsc_offset);
	if (!start->begin())
		give_up_start();
	go_to_step(STEP_READY);
	answer_tsc_rounds(STEP_ONLINE);
	start->run();
	return_cpu(lent);
}

/* --- The boot CPU --- */

static bool is_low(const struct handoff_mem *mem, bool conventional)
{
	return mem->type == HANDOFF_MEM_FREE && mem->pages > LOW_PAGES &&
	       mem->base + mem->pages * PAGE_SIZE <= LOW_MEMORY_END &&
	       (mem->efi_type == EFI_CONVENTIONAL_MEMORY) == conventional;
}

/* The last pages of free memory below 640 KiB, which page_alloc() does not give; 0: none. */
static uint64_t find_low(const struct handoff *handoff, bool conventional)
{
	for (uint32_t i = handoff->nmem; i--;) {
		const struct handoff_mem *mem = &handoff->mem[i];

		if (is_low(mem, conventional))
			return mem->base + (mem->pages - LOW_PAGES) * PAGE_SIZE;
	}
	return 0;
}

/* The physical address of the trampoline; 0: no memory. */
static uint64_t make_trampoline(const struct handoff *handoff)
{
	uint64_t at = find_low(handoff, true);
	const void *root;
	uint8_t *page;

	if (!at)
		at = find_low(handoff, false);
	if (!at || paging_map_start(at))
		return 0;
	root = paging_start_root();
	if (!root)
		return 0;
	page = virt_of(at);
	memcpy(page + PAGE_SIZE, root, PAGE_SIZE);
	trampoline_fill(page, &(struct trampoline){
				      .at = at,
				      .table = at + PAGE_SIZE,
				      .cr4 = CR4_PAE | (read_cr4() & CR4_LA57),
				      .entry = (uintptr_t)smp_entry,
			      });
	return at;
}

/* Memory of a CPU's own comes from its own node. */
static bool alloc_for_cpu(const struct smp_cpu *cpu)
{
	struct smp_boot *boot = &smp_boot;
	bool ok;

	page_set_here(cpu->node);
	boot->stack = stack_make(SMP_STACK_BYTES, "boot_stack", cpu->number);
	ok = boot->stack && !paging_prepare_cpu(&boot->paging);
	page_set_here(found[0].node);
	return ok;
}

static bool prepare_smp_boot(const struct smp_start *start, struct smp_cpu *cpu)
{
	struct smp_boot *boot = &smp_boot;

	if (!alloc_for_cpu(cpu))
		return false;
	boot->root = boot->paging.root;
	boot->stack_top = stack_top(boot->stack);
	boot->tsc = tsc;
	boot->start = start;
	boot->cpu = cpu;
	boot->lent = NULL;
	ping.answer = ping.question;
	go_to_step(STEP_ASLEEP);
	return true;
}

static bool wake_cpu(uint32_t id, uint64_t trampoline)
{
	const uint64_t flags = irq_save();
	bool alive;

	apic_send_init(id);
	clock_spin_ns(INIT_NS);
	apic_send_startup(id, trampoline);
	alive = wait_for_step(STEP_ALIVE, SIPI_NS);
	if (!alive) {
		apic_send_startup(id, trampoline);
		alive = wait_for_step(STEP_ALIVE, PATIENCE_NS);
	}
	irq_restore(flags);
	return alive;
}

/* The CPU waits for a SIPI that never comes, so it uses no memory any more. */
static void park_cpu(uint32_t id)
{
	const uint64_t flags = irq_save();

	apic_send_init(id);
	irq_restore(flags);
}

/* The second comparison of TSCs shows whether both tick at the same rate. */
static bool accompany_start(struct smp_cpu *cpu)
{
	struct tsc_bounds later;

	if (is_at(STEP_FAILED) || !ask_tsc_rounds(&cpu->tsc))
		return false;
	smp_boot.tsc_offset = tsc_bounds_offset(&cpu->tsc);
	go_to_step(STEP_COMPARED);
	if (!wait_for_step(STEP_READY, PATIENCE_NS) || is_at(STEP_FAILED) ||
	    !ask_tsc_rounds(&later))
		return false;
	cpu->tsc_differs = !tsc_bounds_meet(&cpu->tsc, &later);
	if (!cpu->tsc_differs)
		tsc_bounds_narrow(&cpu->tsc, &later);
	return true;
}

static enum smp_state put_online(struct smp_cpu *cpu)
{
	online[cpu->number] = (uint16_t)(cpu - found);
	smp_add_online(cpu->apic_id);
	go_to_step(STEP_ONLINE);
	return SMP_ONLINE;
}

static enum smp_state start_one(const struct smp_start *start, struct smp_cpu *cpu,
				uint64_t trampoline)
{
	if (!trampoline || !prepare_smp_boot(start, cpu))
		return SMP_NO_MEMORY;
	if (!wake_cpu(cpu->apic_id, trampoline)) {
		park_cpu(cpu->apic_id);
		return SMP_DID_NOT_START;
	}
	if (!accompany_start(cpu)) {
		park_cpu(cpu->apic_id);
		return SMP_UNUSABLE;
	}
	return put_online(cpu);
}

/* Starts a CPU of the firmware, which gets it back. A CPU that does not answer in time is left to
 * the firmware. */
static enum smp_state start_lent(const struct smp_start *start, struct smp_cpu *cpu)
{
	int err;

	if (!prepare_smp_boot(start, cpu))
		return SMP_NO_MEMORY;
	err = world_start_cpu(cpu->apic_id, smp_entry, &smp_boot.lent);
	if (err)
		return err == -ENOMEM ? SMP_NO_MEMORY : SMP_NOT_LENT;
	if (!wait_for_step(STEP_ALIVE, PATIENCE_NS))
		return SMP_DID_NOT_START;
	return accompany_start(cpu) ? put_online(cpu) : SMP_UNUSABLE;
}

static void start_all_lent(const struct smp_start *start)
{
	for (unsigned i = 1; i < nfound && smp_ncpus() < start->most; i++) {
		found[i].number = smp_ncpus();
		found[i].state = start_lent(start, &found[i]);
		if (found[i].state == SMP_DID_NOT_START)
			return; /* the CPU may start late, and would find the data of the next
				 * one */
	}
}

static void start_all_owned(const struct smp_start *start)
{
	const uint64_t trampoline = make_trampoline(start->handoff);

	for (unsigned i = 1; i < nfound && smp_ncpus() < start->most; i++) {
		found[i].number = smp_ncpus();
		found[i].state = apic_reaches(found[i].apic_id)
					 ? start_one(start, &found[i], trampoline)
					 : SMP_UNREACHABLE;
	}
}

void smp_start(const struct smp_start *start)
{
	if (nfound == 1 || start->most <= 1)
		return;
	mtrr_note();
	if (world_is_lent())
		start_all_lent(start);
	else
		start_all_owned(start);
}
