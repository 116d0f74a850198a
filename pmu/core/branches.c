// SPDX-License-Identifier: BSD-2-Clause
/*
 * branches.c - see branches.h. The CPU filters as far as it can. Events need the filter's register
 * (UARCH_LBR_SELECT) in addition to their counters. So all events that record branches at the same
 * time need the same filter. The CPU cannot distinguish all types, for example system calls and
 * interrupts among far branches. The instruction at the branch's source tells these apart, as in
 * Linux.
 */
#include "pmu/core/branches.h"

#include "arch/x86/msr.h"
#include "lib/branchtype.h"
#include "lib/insn_decode.h"
#include "lib/reason.h"
#include "lib/string.h"

#include <linux/errno.h>

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

/* In the order of the bits of LBR_SELECT that suppress them. */
enum kind { JCC, REL_CALL, IND_CALL, RETURN, IND_JUMP, REL_JUMP, FAR, KINDS };

#define KIND(name) (1u << (name))
#define TYPE(name) BRANCH_TYPE_##name
#define RINGS      (PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL)
#define EVERY_KIND ((1u << KINDS) - 1)
#define EVERY_TYPE ((TYPE(ABORT) << 1) - 1)

/*
 * The branches that a bit of branch_sample_type selects: kinds that the CPU distinguishes, and
 * types.
 */
static const struct choice {
	uint64_t bit;
	uint16_t kinds, types;
} choices[] = {
	{PERF_SAMPLE_BRANCH_ANY, EVERY_KIND, EVERY_TYPE},
	{PERF_SAMPLE_BRANCH_ANY_CALL, KIND(REL_CALL) | KIND(IND_CALL) | KIND(FAR),
	 TYPE(CALL) | TYPE(ZERO_CALL) | TYPE(IND_CALL) | TYPE(SYSCALL) | TYPE(IRQ) | TYPE(INT)},
	{PERF_SAMPLE_BRANCH_ANY_RETURN, KIND(RETURN) | KIND(FAR),
	 TYPE(RET) | TYPE(SYSRET) | TYPE(IRET)},
	{PERF_SAMPLE_BRANCH_IND_CALL, KIND(IND_CALL), TYPE(IND_CALL)},
	{PERF_SAMPLE_BRANCH_ABORT_TX, EVERY_KIND, TYPE(ABORT)},
	{PERF_SAMPLE_BRANCH_COND, KIND(JCC), TYPE(JCC)},
	{PERF_SAMPLE_BRANCH_CALL_STACK, KIND(REL_CALL) | KIND(IND_CALL) | KIND(RETURN),
	 TYPE(CALL) | TYPE(IND_CALL)},
	{PERF_SAMPLE_BRANCH_IND_JUMP, KIND(IND_JUMP), TYPE(IND_JMP)},
	{PERF_SAMPLE_BRANCH_CALL, KIND(REL_CALL), TYPE(CALL) | TYPE(ZERO_CALL)},
};

static uint16_t wanted_types(uint64_t sample)
{
	uint16_t types = 0;

	for (size_t i = 0; i < LENGTH(choices); i++)
		types |= sample & choices[i].bit ? choices[i].types : 0;
	return types;
}

/*
 * The first CPUs with LBR_SELECT confuse indirect calls with jumps; these CPUs have no call stacks
 * either.
 */
static uint16_t wanted_kinds(uint64_t sample)
{
	uint16_t kinds = 0;

	for (size_t i = 0; i < LENGTH(choices); i++)
		kinds |= sample & choices[i].bit ? choices[i].kinds : 0;
	if (pmu.hw.lbr.kind == PMU_LBR_BY_MODEL && !pmu.hw.lbr.calls && kinds & KIND(IND_CALL))
		kinds |= KIND(IND_JUMP) | KIND(REL_JUMP);
	return kinds;
}

/* --- The filter register --- */

static uint64_t select_architectural(uint64_t sample)
{
	static const uint64_t bits[KINDS] = {
		[JCC] = ARCH_LBR_JCC,           [REL_CALL] = ARCH_LBR_REL_CALL,
		[IND_CALL] = ARCH_LBR_IND_CALL, [RETURN] = ARCH_LBR_RETURN,
		[IND_JUMP] = ARCH_LBR_IND_JUMP, [REL_JUMP] = ARCH_LBR_REL_JUMP,
		[FAR] = ARCH_LBR_OTHER,
	};
	uint64_t select = (sample & PERF_SAMPLE_BRANCH_KERNEL ? ARCH_LBR_OS : 0) |
			  (sample & PERF_SAMPLE_BRANCH_USER ? ARCH_LBR_USR : 0) |
			  (sample & PERF_SAMPLE_BRANCH_CALL_STACK ? ARCH_LBR_CALL_STACK : 0);

	for (unsigned kind = 0; kind < KINDS; kind++)
		select |= wanted_kinds(sample) >> kind & 1 ? bits[kind] : 0;
	return select;
}

/* LBR_SELECT has the kinds to suppress. */
static uint64_t select_by_model(uint64_t sample)
{
	return (uint64_t)(~wanted_kinds(sample) & EVERY_KIND) << LBR_NO_KIND_SHIFT |
	       (sample & PERF_SAMPLE_BRANCH_KERNEL ? 0 : LBR_NO_RING_0) |
	       (sample & PERF_SAMPLE_BRANCH_USER ? 0 : LBR_NO_RING_3) |
	       (sample & PERF_SAMPLE_BRANCH_CALL_STACK ? LBR_CALL_STACK : 0);
}

static uint64_t lbr_select_of(uint64_t sample)
{
	return pmu.hw.lbr.kind == PMU_LBR_ARCHITECTURAL ? select_architectural(sample)
							: select_by_model(sample);
}

/* --- Opening --- */

/* Without a named ring, the event's own rings apply. */
static uint64_t with_rings(const struct perf_event_attr *attr)
{
	uint64_t sample = attr->branch_sample_type;

	if (sample & PERF_SAMPLE_BRANCH_PLM_ALL)
		return sample;
	return sample | (attr->exclude_user ? 0 : PERF_SAMPLE_BRANCH_USER) |
	       (attr->exclude_kernel ? 0 : PERF_SAMPLE_BRANCH_KERNEL) |
	       (attr->exclude_hv ? 0 : PERF_SAMPLE_BRANCH_HV);
}

#define TRANSACTIONS \
	(PERF_SAMPLE_BRANCH_ABORT_TX | PERF_SAMPLE_BRANCH_IN_TX | PERF_SAMPLE_BRANCH_NO_TX)
#define KINDS_AND_TRANSACTIONS                                                                   \
	(TRANSACTIONS | PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_ANY_CALL |                   \
	 PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_COND | \
	 PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_CALL)

static int check_sample(const struct pmu_lbr *lbr, uint64_t sample, struct reason *why)
{
	const bool calls = sample & PERF_SAMPLE_BRANCH_CALL_STACK;

	if (!lbr->kind)
		return refuse(why, EOPNOTSUPP, "no last branches are recorded (branch stacks): %s",
			      lbr->problem);
	if (calls && !lbr->calls)
		return refuse(why, EOPNOTSUPP,
			      "this CPU (%s) records branches, but no stacks of calls: take "
			      "--call-graph fp",
			      pmu.uarch->name);
	if (calls && sample & KINDS_AND_TRANSACTIONS)
		return refuse(why, EINVAL,
			      "a stack of calls has no other kinds of branches beside it");
	if (lbr->kind == PMU_LBR_AMD && sample & TRANSACTIONS)
		return refuse(why, EOPNOTSUPP, "this CPU (%s) has no transactions",
			      pmu.uarch->name);
	return 0;
}

int pmu_branches_init(struct pmu_event *e, struct reason *why)
{
	const struct pmu_lbr *lbr = &pmu.hw.lbr;
	const uint64_t sample = with_rings(&e->attr);
	int err = check_sample(lbr, sample, why);

	if (err)
		return err;
	e->attr.branch_sample_type = sample;
	e->tick.branches = (struct pmu_extra){
		.value = lbr_select_of(sample),
		.registers = 1u << UARCH_LBR_SELECT,
		.reg = UARCH_LBR_SELECT,
	};
	e->out.fields |= PERF_SAMPLE_BRANCH_STACK;
	e->branches = true;
	return 0;
}

/* --- Recording --- */

static bool is_of_calls(const struct pmu_event *e)
{
	return e->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

void pmu_branches_use(const struct pmu_event *e)
{
	pmu.branches.is_new |= !pmu.branches.users++;
	pmu.branches.calls += is_of_calls(e);
}

void pmu_branches_leave(const struct pmu_event *e)
{
	pmu.branches.users--;
	pmu.branches.calls -= is_of_calls(e);
}

void pmu_branches_switch_now(struct pmu_task *prev)
{
	if (prev)
		prev->calls.n = 0;
	if (prev && pmu.branches.calls)
		pmu_lbr_save(&pmu.hw.lbr, &prev->calls);
	pmu.branches.is_new = true;
}

static uint64_t select_now(void)
{
	return pmu.registers[UARCH_LBR_SELECT].value;
}

static void renew_records(struct pmu_branch_state *b)
{
	b->is_new = false;
	if (b->calls && pmu.task && pmu.task->calls.n)
		pmu_lbr_restore(&pmu.hw.lbr, &pmu.task->calls);
	else
		pmu_lbr_clear(&pmu.hw.lbr);
}

void pmu_branches_start_now(void)
{
	struct pmu_branch_state *b = &pmu.branches;

	if (b->is_new)
		renew_records(b);
	b->runs = true;
	b->was_read = false;
	/* A PMI next to a call or return would corrupt the call stack. */
	pmu_lbr_start(&pmu.hw.lbr, select_now(), !b->calls);
}

void pmu_branches_stop_now(void)
{
	pmu.branches.runs = false;
	pmu_lbr_stop(&pmu.hw.lbr, select_now());
}

/* --- Branches in samples --- */

static bool is_ring_3(uint64_t address)
{
	return !(address >> 63);
}

/* Copies the code at the address, if it is mapped; returns the number of bytes. */
static size_t read_code(uint64_t at, uint8_t *code)
{
	uint64_t physical, page_size, last = at + INSN_MAX_BYTES - 1;

	if (is_ring_3(at))
		return pmu.host->read_user ? pmu.host->read_user(code, at, INSN_MAX_BYTES) : 0;
	if (!pmu.host->translate || !pmu.host->translate(at, &physical, &page_size) ||
	    !pmu.host->translate(last, &physical, &page_size))
		return 0;
	memcpy(code, (const void *)at, INSN_MAX_BYTES);
	return INSN_MAX_BYTES;
}

/* The type from the record, for CPUs that record types. */
static uint16_t type_told(const struct perf_branch_entry *b)
{
	static const uint16_t types[] = {
		[PERF_BR_COND] = TYPE(JCC),          [PERF_BR_UNCOND] = TYPE(JMP),
		[PERF_BR_IND] = TYPE(IND_JMP),       [PERF_BR_CALL] = TYPE(CALL),
		[PERF_BR_IND_CALL] = TYPE(IND_CALL), [PERF_BR_RET] = TYPE(RET),
	};

	return b->type < LENGTH(types) ? types[b->type] : TYPE(NONE);
}

/* A branch into ring 0 whose instruction does not lead there is an interrupt or an exception. */
static uint16_t type_of_branch(const struct perf_branch_entry *b)
{
	uint8_t code[INSN_MAX_BYTES];
	uint16_t type = type_told(b);

	if (b->abort)
		return TYPE(ABORT);
	if (!type)
		type = branch_type(code, read_code(b->from, code));
	if (is_ring_3(b->from) && !is_ring_3(b->to) && !(type & (TYPE(SYSCALL) | TYPE(INT))))
		return TYPE(IRQ);
	return type;
}

static uint8_t common_type(uint16_t type)
{
	static const struct {
		uint16_t type;
		uint8_t common;
	} rows[] = {
		{TYPE(JCC), PERF_BR_COND},          {TYPE(JMP), PERF_BR_UNCOND},
		{TYPE(IND_JMP), PERF_BR_IND},       {TYPE(CALL) | TYPE(ZERO_CALL), PERF_BR_CALL},
		{TYPE(IND_CALL), PERF_BR_IND_CALL}, {TYPE(RET), PERF_BR_RET},
		{TYPE(SYSCALL), PERF_BR_SYSCALL},   {TYPE(SYSRET), PERF_BR_SYSRET},
		{TYPE(IRET), PERF_BR_ERET},         {TYPE(IRQ), PERF_BR_IRQ},
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		if (rows[i].type & type)
			return rows[i].common;
	return PERF_BR_UNKNOWN;
}

/* True where all branches are wanted, without their types. */
static bool takes_all(uint64_t sample)
{
	return (sample & RINGS) == RINGS && sample & PERF_SAMPLE_BRANCH_ANY &&
	       !(sample & (PERF_SAMPLE_BRANCH_TYPE_SAVE | TRANSACTIONS));
}

static bool is_in_rings(const struct perf_branch_entry *b, uint64_t sample)
{
	return sample & (is_ring_3(b->to) ? PERF_SAMPLE_BRANCH_USER : PERF_SAMPLE_BRANCH_KERNEL);
}

static bool is_in_transactions(const struct perf_branch_entry *b, uint64_t sample)
{
	return !(sample & PERF_SAMPLE_BRANCH_IN_TX && !b->in_tx) &&
	       !(sample & PERF_SAMPLE_BRANCH_NO_TX && b->in_tx);
}

/* Returns false for a branch that is filtered out. */
static bool filter_branch(struct perf_branch_entry *b, uint64_t sample)
{
	uint16_t type;

	if (takes_all(sample)) {
		b->type = PERF_BR_UNKNOWN;
		return true;
	}
	if (!is_in_rings(b, sample) || !is_in_transactions(b, sample))
		return false;
	type = type_of_branch(b);
	b->type = sample & PERF_SAMPLE_BRANCH_TYPE_SAVE ? common_type(type) : PERF_BR_UNKNOWN;
	return type & wanted_types(sample);
}

static void trim_branch(struct perf_branch_entry *b, uint64_t sample)
{
	if (sample & PERF_SAMPLE_BRANCH_NO_FLAGS)
		b->mispred = b->predicted = b->in_tx = b->abort = 0;
	if (sample & PERF_SAMPLE_BRANCH_NO_CYCLES)
		b->cycles = 0;
	if (sample & PERF_SAMPLE_BRANCH_PRIV_SAVE)
		b->priv = is_ring_3(b->to) ? PERF_BR_PRIV_USER : PERF_BR_PRIV_KERNEL;
}

static const struct pmu_lbr_records *read_records(const struct pmu_event *e)
{
	struct pmu_branch_state *b = &pmu.branches;

	if (!b->was_read)
		pmu_lbr_read(&pmu.hw.lbr, is_of_calls(e), &b->records);
	b->was_read = true;
	return &b->records;
}

void pmu_branches_add(const struct pmu_event *e, struct pmu_sample_data *data)
{
	static PERCPU struct perf_branch_entry entries[PMU_BRANCHES_MOST];
	static PERCPU struct pmu_branches branches;
	const struct pmu_lbr_records *records = read_records(e);
	const uint64_t sample = e->attr.branch_sample_type;

	branches = (struct pmu_branches){.hw_idx = records->newest, .entry = entries};
	for (uint32_t i = 0; i < records->n; i++) {
		struct perf_branch_entry b = records->entry[i];

		if (!filter_branch(&b, sample))
			continue;
		trim_branch(&b, sample);
		entries[branches.n++] = b;
	}
	data->fields |= PERF_SAMPLE_BRANCH_STACK;
	data->branches = &branches;
}
