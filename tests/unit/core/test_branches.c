// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_branches.c - PERF_SAMPLE_BRANCH_STACK on the modelled PMUs: opening, the filters in the CPU,
 * the branches in samples, and switches of tasks. The test puts branches into the model; their code
 * is in ring 3's page.
 */
#include "tests/unit/core/sampled_events.h"

#include <linux/errno.h>

#define PERIOD 1000
#define KERNEL 0xffff800000100000ull
#define MOST   32

/* The branch records of each microarchitecture: how many, and which details each record has. */
static const struct records {
	const char *name;
	uint8_t depth;
	bool mispredicts, cycles, calls;
} recording[] = {
	{"hsw", 16, true, false, true},   {"skx", 32, true, true, true},
	{"icl", 32, true, true, true},    {"adl", 32, true, true, true},
	{"zen4", 16, true, false, false}, {"slm", 8, false, false, false},
	{"knl", 8, true, false, false},
};

#define for_each_recording(u)                     \
	for (const struct records *u = recording; \
	     u < recording + sizeof(recording) / sizeof(*recording); u++)

static const struct records *records_of(const char *name)
{
	for_each_recording(u) if (!strcmp(u->name, name)) return u;
	return NULL;
}

#define for_each_with_calls(u) for_each_recording(u) if (u->calls)

/* Branches. The code of each is at AT(place). */
enum place { P_JCC, P_CALL, P_ZERO, P_ICALL, P_RET, P_IJUMP, P_JUMP, P_SYSCALL, P_IRQ, PLACES };

#define AT(place) (RIG_PAGE + 0x100ull * (place) + 0x10)

static const struct branch {
	uint8_t code[6];
	uint8_t kind;
	bool kernel; /* its target is in the kernel */
	uint8_t type;
} branches[PLACES] = {
	[P_JCC] = {{0x74, 0x05}, BRANCH_KIND_JCC, false, PERF_BR_COND},
	[P_CALL] = {{0xe8, 1, 2, 0, 0}, BRANCH_KIND_REL_CALL, false, PERF_BR_CALL},
	[P_ZERO] = {{0xe8, 0, 0, 0, 0}, BRANCH_KIND_REL_CALL, false, PERF_BR_CALL},
	[P_ICALL] = {{0x41, 0xff, 0xd4}, BRANCH_KIND_IND_CALL, false, PERF_BR_IND_CALL},
	[P_RET] = {{0xf3, 0xc3}, BRANCH_KIND_RETURN, false, PERF_BR_RET},
	[P_IJUMP] = {{0xff, 0x25, 0, 0, 0, 0}, BRANCH_KIND_IND_JUMP, false, PERF_BR_IND},
	[P_JUMP] = {{0xeb, 0x05}, BRANCH_KIND_REL_JUMP, false, PERF_BR_UNCOND},
	[P_SYSCALL] = {{0x0f, 0x05}, BRANCH_KIND_FAR, true, PERF_BR_SYSCALL},
	[P_IRQ] = {{0x90}, BRANCH_KIND_FAR, true, PERF_BR_IRQ},
};

static struct rb rb;
static uint8_t storage[17 * 4096] __attribute__((aligned(4096)));

static void boot_without(const char *uarch)
{
	assert_int_equal(rig_boot(uarch, false), 0);
	assert_int_equal(rb_init(&rb, storage, 16), 0);
}

/* A machine whose model gets branches from below, but whose counts stay ratios. */
static void boot_branches(const char *uarch)
{
	boot_without(uarch);
	shim_boot(uarch, false);
	vpmu_model_counts(&shim.model, EVENTS_LEVEL_MODEL);
	vpmu_model_counts(&shim.model, EVENTS_LEVEL_NONE);
	memset(&rig, 0, sizeof(rig));
	rig.alloc_most = UINT32_MAX;
	rig.current = (struct pmu_current){.pid = RIG_PID, .tid = RIG_TID};
	pmu_caps_detect(&rig.caps);
	assert_int_equal(rig_init(), 0);
	memset(rig.memory, 0x90, sizeof(rig.memory));
	for (unsigned p = 0; p < PLACES; p++)
		memcpy(rig.memory + (AT(p) - RIG_PAGE), branches[p].code, sizeof(branches[p].code));
}

static bool has_types(const char *uarch)
{
	return !strcmp(uarch, "adl");
}

static struct perf_event_attr branching(uint64_t sample)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = sample;
	return attr;
}

static void take_branch(enum place p, uint64_t info)
{
	const struct branch *b = &branches[p];

	vpmu_model_branch(&shim.model, b->kernel ? VPMU_OS : VPMU_USR, (enum branch_kind)b->kind,
			  (struct branch_record){.from = AT(p),
						 .to = b->kernel ? KERNEL : AT(p) + 0x80,
						 .info = info});
}

/* --- Samples --- */

struct sampled {
	uint64_t n, hw_idx;
	struct perf_branch_entry entry[MOST];
};

/* Returns the last sample of the ring. */
static struct sampled drain_sample(bool has_index)
{
	static uint64_t out[8192];
	struct sampled s = {.n = UINT64_MAX};
	const uint64_t *at;
	size_t n;

	while ((n = rb_read(&rb, out, sizeof(out))))
		for (at = out; (const uint8_t *)at < (const uint8_t *)out + n;
		     at += ((const struct perf_event_header *)at)->size / 8) {
			const uint64_t *w = at + 2; /* behind the IP */

			if (((const struct perf_event_header *)at)->type != PERF_RECORD_SAMPLE)
				continue;
			s.n = *w++;
			s.hw_idx = has_index ? *w++ : 0;
			assert_true(s.n <= MOST);
			memcpy(s.entry, w, s.n * sizeof(*s.entry));
		}
	return s;
}

/* Takes all branches, one after the other, and then overflows. */
static struct sampled sample_all(uint64_t sample, uint64_t info)
{
	static struct pmu_event e;
	struct sampled s;

	open_into(&e, branching(sample), &rb);
	pmu_task_sched_in(&rig.task);
	assert_true(vpmu_model_branches_on(&shim.model));
	for (unsigned p = 0; p < PLACES; p++)
		take_branch((enum place)p, info);
	shim_run(VPMU_USR, PERIOD + 10);
	assert_true(vpmu_model_branches_on(&shim.model));
	pmu_task_sched_out();
	assert_false(vpmu_model_branches_on(&shim.model));
	s = drain_sample(sample & PERF_SAMPLE_BRANCH_HW_INDEX);
	pmu_event_close(&e);
	return s;
}

/* --- Which branches --- */

#define U PERF_SAMPLE_BRANCH_USER
#define K PERF_SAMPLE_BRANCH_KERNEL

static const struct {
	uint64_t sample;
	uint32_t places;
} choices[] = {
	{PERF_SAMPLE_BRANCH_ANY | U | K, (1 << PLACES) - 1},
	{PERF_SAMPLE_BRANCH_ANY, (1 << P_SYSCALL) - 1}, /* rings are the event's */
	{PERF_SAMPLE_BRANCH_ANY | U, (1 << P_SYSCALL) - 1},
	{PERF_SAMPLE_BRANCH_ANY | K, 1 << P_SYSCALL | 1 << P_IRQ},
	{PERF_SAMPLE_BRANCH_ANY_CALL | U, 1 << P_CALL | 1 << P_ZERO | 1 << P_ICALL},
	{PERF_SAMPLE_BRANCH_ANY_CALL | U | K,
	 1 << P_CALL | 1 << P_ZERO | 1 << P_ICALL | 1 << P_SYSCALL | 1 << P_IRQ},
	{PERF_SAMPLE_BRANCH_ANY_RETURN | U | K, 1 << P_RET},
	{PERF_SAMPLE_BRANCH_IND_CALL | U, 1 << P_ICALL},
	{PERF_SAMPLE_BRANCH_IND_JUMP | U, 1 << P_IJUMP},
	{PERF_SAMPLE_BRANCH_CALL | U, 1 << P_CALL | 1 << P_ZERO},
	{PERF_SAMPLE_BRANCH_COND | U, 1 << P_JCC},
	{PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_ANY_RETURN | U, 1 << P_JCC | 1 << P_RET},
};

static void check_listed(const struct sampled *s, uint32_t places, const struct records *u,
			 size_t i)
{
	uint64_t n = 0;

	for (unsigned p = PLACES; p-- && n < u->depth;) {
		if (!(places >> p & 1))
			continue;
		if (n >= s->n || s->entry[n].from != AT(p) ||
		    s->entry[n].to != (branches[p].kernel ? KERNEL : AT(p) + 0x80))
			fail_msg("%s, choice %zu: place %u is not number %llu", u->name, i, p,
				 (unsigned long long)n);
		n++;
	}
	assert_int_equal(s->n, n);
}

TEST(test_choices)
{
	for_each_recording(u) for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++)
	{
		struct sampled s;

		boot_branches(u->name);
		s = sample_all(choices[i].sample, 0);
		check_listed(&s, choices[i].places, u, i);
	}
}

/* Branches that the CPU filters out do not push wanted ones out. */
TEST(test_hardware_filters)
{
	for_each_recording(u)
	{
		static struct pmu_event e;
		struct sampled s;

		boot_branches(u->name);
		open_into(&e, branching(PERF_SAMPLE_BRANCH_IND_CALL | U), &rb);
		pmu_task_sched_in(&rig.task);
		take_branch(P_ICALL, 0);
		for (unsigned i = 0; i < 100; i++) {
			take_branch(P_JCC, 0);
			take_branch(P_RET, 0);
			take_branch(P_SYSCALL, 0);
		}
		shim_run(VPMU_USR, PERIOD + 10);
		pmu_task_sched_out();
		s = drain_sample(false);
		check_listed(&s, 1 << P_ICALL, u, 0);
		pmu_event_close(&e);
	}
}

TEST(test_depth)
{
	for_each_recording(u)
	{
		static struct pmu_event e;
		struct sampled s;

		boot_branches(u->name);
		open_into(&e, branching(PERF_SAMPLE_BRANCH_ANY | U), &rb);
		pmu_task_sched_in(&rig.task);
		for (unsigned i = 0; i < 40; i++)
			take_branch(i % 2 ? P_JCC : P_RET, 0);
		shim_run(VPMU_USR, PERIOD + 10);
		pmu_task_sched_out();
		s = drain_sample(false);
		assert_int_equal(s.n, u->depth);
		for (unsigned i = 0; i < u->depth; i++)
			assert_int_equal(s.entry[i].from, AT(i % 2 ? P_RET : P_JCC));
		pmu_event_close(&e);
	}
}

/* --- Fields of branches --- */

TEST(test_told)
{
	const uint64_t any = PERF_SAMPLE_BRANCH_ANY | U | K;

	for_each_recording(u)
	{
		const unsigned n = u->depth < PLACES ? u->depth : PLACES;
		struct sampled s;

		boot_branches(u->name);
		s = sample_all(any | PERF_SAMPLE_BRANCH_TYPE_SAVE | PERF_SAMPLE_BRANCH_PRIV_SAVE,
			       BRANCH_MISPREDICTED | BRANCH_TIMED | 77);
		assert_int_equal(s.n, n);
		for (unsigned p = PLACES - n; p < PLACES; p++) {
			const struct perf_branch_entry *b = &s.entry[PLACES - 1 - p];

			assert_int_equal(b->mispred, u->mispredicts);
			assert_false(b->predicted);
			assert_int_equal(b->cycles, u->cycles ? 77 : 0);
			assert_int_equal(b->type, branches[p].type);
			assert_int_equal(b->priv, branches[p].kernel ? PERF_BR_PRIV_KERNEL
								     : PERF_BR_PRIV_USER);
			assert_int_equal(b->spec, strcmp(u->name, "zen4")
							  ? 0
							  : PERF_BR_NON_SPEC_CORRECT_PATH);
		}
		s = sample_all(any | PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES,
			       BRANCH_MISPREDICTED | BRANCH_TIMED | 77);
		for (unsigned i = 0; i < s.n; i++)
			assert_false(s.entry[i].mispred || s.entry[i].predicted ||
				     s.entry[i].cycles || s.entry[i].type || s.entry[i].priv);
		s = sample_all(any | PERF_SAMPLE_BRANCH_HW_INDEX, 0);
		assert_int_equal(s.hw_idx, has_types(u->name) || !strcmp(u->name, "zen4")
						   ? 0
						   : PLACES % u->depth);
		assert_int_equal(s.entry[0].predicted, u->mispredicts);
		assert_false(s.entry[0].mispred);
	}
}

/* A branch without readable code has no type: filters by type leave it out. */
TEST(test_code_that_is_gone)
{
	static struct pmu_event e;
	struct sampled s;

	boot_branches("skx");
	open_into(&e, branching(PERF_SAMPLE_BRANCH_ANY | U), &rb);
	pmu_task_sched_in(&rig.task);
	take_branch(P_JCC, 0);
	vpmu_model_branch(&shim.model, VPMU_USR, BRANCH_KIND_JCC,
			  (struct branch_record){.from = 0x1000, .to = 0x2000});
	shim_run(VPMU_USR, PERIOD + 10);
	pmu_task_sched_out();
	s = drain_sample(false);
	check_listed(&s, 1 << P_JCC, records_of("skx"), 0);
	pmu_event_close(&e);
}

/* --- Stacks of calls, and tasks --- */

static const uint64_t calls = PERF_SAMPLE_BRANCH_CALL_STACK | U;

TEST(test_call_stack)
{
	for_each_with_calls(u)
	{
		static struct pmu_event e;
		struct sampled s;

		boot_branches(u->name);
		open_into(&e, branching(calls), &rb);
		pmu_task_sched_in(&rig.task);
		take_branch(P_CALL, 0);
		take_branch(P_ICALL, 0);
		take_branch(P_JCC, 0);
		take_branch(P_CALL, 0);
		take_branch(P_RET, 0);
		shim_run(VPMU_USR, PERIOD + 10);
		s = drain_sample(false);
		check_listed(&s, 1 << P_CALL | 1 << P_ICALL, u, 0);
		take_branch(P_RET, 0);
		shim_run(VPMU_USR, PERIOD);
		pmu_task_sched_out();
		s = drain_sample(false);
		check_listed(&s, 1 << P_CALL, u, 1);
		pmu_event_close(&e);
	}
}

/* A task that is scheduled again has its own calls, and no other task has them. */
TEST(test_calls_of_tasks)
{
	for_each_with_calls(u)
	{
		static struct pmu_task other;
		static struct pmu_event e, of_other;
		struct perf_event_attr attr = branching(calls);
		struct sampled s;

		boot_branches(u->name);
		other = (struct pmu_task){0};
		assert_int_equal(pmu_task_init(&other, 9, 9, NULL), 0);
		open_into(&e, attr, &rb);
		assert_int_equal(pmu_event_open(&of_other, &attr, 9, -1, NULL, 0, &rig.why), 0);
		assert_int_equal(pmu_event_set_output(&of_other, &rb), 0);

		pmu_task_sched_in(&rig.task);
		take_branch(P_CALL, BRANCH_MISPREDICTED);
		take_branch(P_ICALL, 0);
		pmu_task_switch(&other, false);
		take_branch(P_ICALL, 0);
		shim_run(VPMU_USR, PERIOD + 10);
		s = drain_sample(false);
		check_listed(&s, 1 << P_ICALL, u, 0);
		pmu_task_switch(&rig.task, false);
		take_branch(P_RET, 0);
		shim_run(VPMU_USR, PERIOD + 10);
		s = drain_sample(false);
		check_listed(&s, 1 << P_CALL, u, 1);
		assert_true(s.entry[0].mispred);
		pmu_task_sched_out();
		pmu_event_close(&e);
		pmu_event_close(&of_other);
		pmu_task_exit(&other);
	}
}

/* A switch of tasks clears other records: samples have branches of the running task only. */
TEST(test_switch_forgets)
{
	for_each_recording(u)
	{
		static struct pmu_event e;
		struct sampled s;

		boot_branches(u->name);
		open_into(&e, branching(PERF_SAMPLE_BRANCH_ANY | U), &rb);
		pmu_task_sched_in(&rig.task);
		take_branch(P_JCC, 0);
		pmu_task_sched_out();
		pmu_task_sched_in(&rig.task);
		take_branch(P_RET, 0);
		shim_run(VPMU_USR, PERIOD + 10);
		pmu_task_sched_out();
		s = drain_sample(false);
		check_listed(&s, 1 << P_RET, u, 0);
		pmu_event_close(&e);
	}
}

/* --- Opening --- */

static void rejects_attr(struct perf_event_attr attr, int err, const char *why)
{
	static struct pmu_event e;
	const int got = rig_open(&e, &attr, NULL);

	if (got != err || !strstr(rig.why.text, why))
		fail_msg("%d: '%s' does not say '%s'", got, rig.why.text, why);
}

TEST(test_refused)
{
	struct perf_event_attr attr;

	for_each_recording(u)
	{
		boot_without(u->name);
		rejects_attr(branching(PERF_SAMPLE_BRANCH_ANY), -EOPNOTSUPP,
			     "no last branches are recorded");
	}
	boot_branches("zen4");
	rejects_attr(branching(calls), -EOPNOTSUPP, "no stacks of calls");
	rejects_attr(branching(PERF_SAMPLE_BRANCH_IN_TX | PERF_SAMPLE_BRANCH_ANY), -EOPNOTSUPP,
		     "no transactions");
	boot_branches("skx");
	rejects_attr(branching(calls | PERF_SAMPLE_BRANCH_ANY), -EINVAL, "a stack of calls");
	attr = branching(PERF_SAMPLE_BRANCH_ANY);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = 1000000;
	rejects_attr(attr, -EOPNOTSUPP, "for events of the core's counters only");
	rejects_attr(branching(U | K), -EINVAL, "no kind of branches");
}

/* AMD's CPUs before Zen 4, and Intel's CPUs of unknown model, have no branch records. */
TEST(test_models_without)
{
	boot_branches("zen4");
	rig.caps.lbr_v2 = false;
	assert_int_equal(rig_init(), 0);
	rejects_attr(branching(PERF_SAMPLE_BRANCH_ANY), -EOPNOTSUPP, "no LbrExtV2");
	boot_branches("skx");
	rig.caps.perf_capabilities |= LBR_FORMAT_ARCHITECTURAL;
	assert_int_equal(rig_init(), 0);
	rejects_attr(branching(PERF_SAMPLE_BRANCH_ANY), -EOPNOTSUPP, "no format of branch records");
}

/* Events that count at the same time share one filter. Events with another filter take turns. */
TEST(test_filters_take_turns)
{
	static struct pmu_event e[3];

	for_each_recording(u)
	{
		boot_branches(u->name);
		open_into(&e[0], branching(PERF_SAMPLE_BRANCH_ANY | U), &rb);
		open_into(&e[1], branching(PERF_SAMPLE_BRANCH_ANY | U), &rb);
		open_into(&e[2], branching(PERF_SAMPLE_BRANCH_COND | U), &rb);
		pmu_task_sched_in(&rig.task);
		assert_int_equal(e[0].state, PMU_STATE_ACTIVE);
		assert_int_equal(e[1].state, PMU_STATE_ACTIVE);
		assert_int_equal(e[2].state, PMU_STATE_INACTIVE);
		pmu_task_sched_out();
		for (unsigned i = 0; i < 3; i++)
			pmu_event_close(&e[i]);
	}
}

/* An event that also needs an off-core register: both registers have their values. */
TEST(test_two_registers)
{
	static struct pmu_event e[3];
	struct perf_event_attr attr;
	uint64_t value;

	boot_branches("skx");
	attr = branching(PERF_SAMPLE_BRANCH_COND | U);
	attr.type = PERF_TYPE_RAW;
	attr.config = 0x1b7;
	attr.config1 = 0x10001;
	open_into(&e[0], attr, &rb);
	open_into(&e[1], branching(PERF_SAMPLE_BRANCH_ANY | U), &rb);
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_COND;
	attr.config1 = 0x10002; /* in the other register */
	open_into(&e[2], attr, &rb);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(e[0].state, PMU_STATE_ACTIVE);
	assert_int_equal(e[1].state, PMU_STATE_INACTIVE);
	assert_int_equal(vpmu_model_rdmsr(&shim.model, MSR_OFFCORE_RSP_0, &value), VPMU_DONE);
	assert_int_equal(value, 0x10001);
	assert_int_equal(vpmu_model_branches_wanted(&shim.model, VPMU_USR), 1 << BRANCH_KIND_JCC);
	pmu_task_sched_out();
	for (unsigned i = 0; i < 3; i++)
		pmu_event_close(&e[i]);
}

/* A group whose events want different filters can not count as one. */
TEST(test_group)
{
	static struct pmu_event e[2];
	struct perf_event_attr attr = branching(PERF_SAMPLE_BRANCH_COND | U);

	boot_branches("skx");
	open_into(&e[0], branching(PERF_SAMPLE_BRANCH_ANY | U), &rb);
	assert_int_equal(rig_open(&e[1], &attr, &e[0]), -EINVAL);
	assert_non_null(strstr(rig.why.text, "the filter of branch records"));
	attr = branching(PERF_SAMPLE_BRANCH_ANY | U);
	assert_int_equal(rig_open(&e[1], &attr, &e[0]), 0);
	pmu_event_close(&e[1]);
	pmu_event_close(&e[0]);
}

/* --- Errata --- */

/* Erratum 1452: a record that is marked as erroneous is none. */
TEST(test_erroneous_record)
{
	const struct vpmu_faults faults = {.errata = VPMU_LBR_ERRONEOUS};

	for (unsigned known = 0; known < 2; known++) {
		struct sampled s;

		boot_branches("zen4");
		vpmu_model_fail(&shim.model, &faults);
		pmu.hw.lbr.erroneous = known;
		s = sample_all(PERF_SAMPLE_BRANCH_ANY | U | K, 0);
		assert_int_equal(s.n, known ? PLACES - 1 : PLACES);
		assert_int_equal(s.entry[1].from == AT(PLACES - 2), false);
		assert_int_equal(s.entry[1].from == AT(PLACES - 3), known);
	}
}

/* The bits beside AMD's switch stay as they are. */
TEST(test_switch_keeps_bits)
{
	boot_branches("zen4");
	assert_int_equal(rdmsr(MSR_AMD_DBG_EXTN_CFG), BRS_ONES);
	sample_all(PERF_SAMPLE_BRANCH_ANY | U, 0);
	assert_int_equal(rdmsr(MSR_AMD_DBG_EXTN_CFG), BRS_ONES);
}

/* Without TSX a source of ring 0 has its sign in the flags of transactions. */
TEST(test_sign_in_flags)
{
	struct pmu_saved_branches saved;

	for (unsigned known = 0; known < 2; known++) {
		struct pmu_lbr_records records;

		boot_branches("hsw");
		assert_true(pmu.hw.lbr.extended);
		pmu.hw.lbr.extended = known;
		wrmsr(pmu.hw.lbr.from, KERNEL & ~LBR_FROM_MISPREDICTED);
		pmu_lbr_save(&pmu.hw.lbr, &saved);
		assert_int_equal(saved.n, 1);
		pmu_lbr_read(&pmu.hw.lbr, false, &records);
		assert_int_equal(records.entry[0].from, KERNEL);
		assert_int_equal(records.entry[0].in_tx || records.entry[0].abort, !known);
	}
	/* A write of the address without its sign would be a #GP. */
	saved.record[0].from &= ~(LBR_FROM_IN_TSX | LBR_FROM_TSX_ABORT);
	assert_true(vpmu_model_wrmsr_faults(&shim.model, pmu.hw.lbr.from, saved.record[0].from));
	pmu_lbr_restore(&pmu.hw.lbr, &saved);
}
