// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_follow.c - the execution of a random program, reported by calls and by records: the counts
 * are the same in any thread, and at any times of reading. Faults and interrupts follow branches.
 */
#include "tests/unit/vpmu/timed_rig.h"
#include "vpmu/plugin/replay_vcpu.h"

#include "tests/unit/test.h"

#define CODE  0x401000ull
#define DATA  0x10000000ull
#define RUNS  600
#define STEPS 100000
#define SHIFT 3 /* accesses are of 8 bytes */

struct step {
	const struct follow_run *run;
	uint64_t va[3]; /* addresses of its accesses */
};

#define RUN_INSNS 5

static struct follow_run runs[RUNS] __attribute__((aligned(16)));
static const struct core_insn *run_insns[RUNS][RUN_INSNS];
static unsigned naccesses[RUNS];
static struct step steps[STEPS];
static struct played_core *core; /* for its random numbers */

static uint64_t core_below(uint64_t n)
{
	return core_random(core) % n;
}

/* --- A program, and its execution --- */

/* Loads, a store as the second access, arithmetic, and a branch. */
static void make_insns(unsigned i)
{
	static const char *const computes[] = {"4801c8", "480fafc1", "f7f1", "0f58c1", "4839c8"};
	struct timed_rig rig;

	if (!core_model_near(&rig.model, "skx"))
		abort();
	for (unsigned k = 0; k < RUN_INSNS; k++) {
		const char *hex = computes[core_below(5)];

		if (k < naccesses[i])
			hex = k == 1 ? "488903" : "488b03";
		else if (k + 1 == RUN_INSNS)
			hex = "7502";
		run_insns[i][k] = rig_insn(&rig, hex);
	}
}

static void make_run(unsigned i, uint64_t va)
{
	const unsigned bytes = 1 + (unsigned)core_below(60);

	naccesses[i] = (unsigned)core_below(4);
	runs[i] = (struct follow_run){
		.block = {.va = va,
			  .physical = va,
			  .physical_next = (va | 0xfff) + 1,
			  .bytes = (uint16_t)bytes,
			  .shift = 12},
		.insns = {.va = va,
			  .by_access = (1u << naccesses[i]) - 1,
			  .by_next = 1u << (RUN_INSNS - 1),
			  .n = RUN_INSNS,
			  .insns = run_insns[i]},
		.ends_in_branch = core_below(8),
	};
	make_insns(i);
}

static void lay_out_runs(void)
{
	static const uint8_t kinds[] = {MICRO_CONDITIONAL, MICRO_CONDITIONAL, MICRO_CONDITIONAL,
					MICRO_JUMP,        MICRO_CALL,        MICRO_JUMP_INDIRECT,
					MICRO_RETURN,      MICRO_FAR};
	uint64_t va = CODE;

	for (unsigned i = 0; i < RUNS; i++) {
		make_run(i, va);
		va += runs[i].block.bytes;
	}
	for (unsigned i = 0; i < RUNS; i++) {
		struct follow_branch *b = &runs[i].branch;

		b->kind = kinds[core_below(sizeof(kinds))];
		b->models = true;
		b->ip = runs[i].block.va + runs[i].block.bytes - 1;
		b->next = b->ip + 1;
		b->needs = naccesses[i];
		if (b->kind < MICRO_JUMP_INDIRECT)
			b->target = runs[core_below(4) ? core_below(RUNS) : i].block.va;
	}
}

static unsigned run_at(uint64_t va)
{
	for (unsigned i = 0; i < RUNS; i++)
		if (runs[i].block.va == va)
			return i;
	return 0;
}

static unsigned next_of(unsigned i)
{
	const struct follow_branch *b = &runs[i].branch;

	if (core_below(50) == 0) /* an interrupt, or a fault */
		return (unsigned)core_below(RUNS);
	if (!runs[i].ends_in_branch || (b->kind == MICRO_CONDITIONAL && core_below(3) == 0))
		return (i + 1) % RUNS;
	return b->target ? run_at(b->target) : (unsigned)core_below(RUNS);
}

static void make_steps(void)
{
	for (unsigned s = 0, i = 0; s < STEPS; s++, i = next_of(i)) {
		steps[s].run = &runs[i];
		for (unsigned a = 0; a < 3; a++)
			steps[s].va[a] = DATA + core_below(core_below(3) ? 8192 : 1 << 22);
	}
}

/* --- Reporting --- */

struct told {
	struct played_core *core;
	struct follower *follower;
	struct feed feed, times;
	bool is_direct;
	struct core_model model;
	struct core_shape shape;
};

static void put_page(struct told *t, uint64_t va)
{
	if (t->is_direct)
		follow_page(t->follower, va, va);
	else
		feed_put(&t->feed, follow_page_record(va, va));
}

static void put_access(struct told *t, unsigned insn, uint64_t va, bool stores)
{
	const struct follow_access access = {
		.stores = stores, .shift = SHIFT, .insn = (uint8_t)insn};

	put_page(t, va);
	put_page(t, va + 7);
	if (t->is_direct) {
		follow_access_at(t->follower, &access, va, false);
		return;
	}
	feed_put(&t->feed, feed_at(follow_record_of(&access), va));
}

static void put_run(struct told *t, const struct follow_run *run)
{
	if (t->is_direct)
		follow_run(t->follower, run);
	else
		feed_put(&t->feed, (uint64_t)run | FOLLOW_RUN);
}

static void put_step(struct told *t, const struct step *s)
{
	const unsigned n = naccesses[s->run - runs];

	put_run(t, s->run);
	/* Sometimes a run faults before it has done all accesses. */
	for (unsigned a = 0; a < n && (a || s->va[0] % 64); a++)
		put_access(t, a, s->va[a], a == 1);
}

static void begin_with(struct told *t, const char *uarch, bool threaded, unsigned flags)
{
	*t = (struct told){.core = core_named(uarch, flags)};
	t->follower = core_memory((sizeof(*t->follower) + 63) / 64 * 64);
	follow_init(t->follower, t->core->counts);
	t->follower->micro = t->core->micro;
	assert_true(micro_init(t->core->micro, &t->core->geometry, flags, t->core->l2, t->core->llc,
			       follow_translate, t->core->counts));
	rig_model(&t->model, &t->shape, uarch, &t->core->geometry);
	assert_true(time_begin(&t->follower->time, &t->model, &t->core->geometry,
			       flags & MICRO_IPC1, t->core->counts));
	assert_true(feed_begin(&t->feed, follow_list, t->follower, threaded));
}

static void begin_told(struct told *t, const char *uarch, bool threaded)
{
	begin_with(t, uarch, threaded, 0);
}

/* All records are replayed, and counted. */
static void count_all(struct told *t)
{
	feed_drain(&t->feed);
	follow_sum(t->follower);
}

static void free_told(struct told *t)
{
	feed_end(&t->feed);
	follow_end(t->follower);
	free(t->follower->time.core);
	free(t->follower);
	core_free(t->core, true);
}

enum way { DIRECTLY, BY_VCPU, BY_THREAD, BY_BOTH, BY_THREADS, BY_ALL };

static void count_by(enum way way, const char *uarch, uint64_t counts[EVENTS_NUMBERS])
{
	static struct told t;

	begin_told(&t, uarch, way >= BY_THREAD);
	assert_true(way < BY_THREADS || follow_by_ring(t.follower, &t.times));
	t.is_direct = way == DIRECTLY;
	for (unsigned i = 0; i < STEPS; i++) {
		put_step(&t, &steps[i]);
		if ((way == BY_BOTH || way == BY_ALL) && i % 7001 == 0) {
			feed_stay(&t.feed, i / 7001 % 2);
			follow_stay(t.follower, i / 7001 % 2);
		}
		if (way > DIRECTLY && i % 1999 == 0)
			count_all(&t);
	}
	count_all(&t);
	memcpy(counts, t.core->counts, EVENTS_NUMBERS * sizeof(*counts));
	free_told(&t);
}

static void assert_counts_equal(const uint64_t *a, const uint64_t *b)
{
	for (enum events_count e = 0; e < EVENTS_NUMBERS; e++)
		if (a[e] != b[e])
			fail_msg("event %d: %llu, %llu", e, (unsigned long long)a[e],
				 (unsigned long long)b[e]);
}

TEST(test_ways)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl", "zen4"};
	uint64_t direct[EVENTS_NUMBERS], other[EVENTS_NUMBERS], sum[EVENTS_NUMBERS] = {0};

	for (unsigned i = 0; i < 5; i++) {
		lay_out_runs();
		make_steps();
		count_by(DIRECTLY, names[i], direct);
		for (enum way way = BY_VCPU; way <= BY_ALL; way++) {
			count_by(way, names[i], other);
			assert_counts_equal(direct, other);
		}
		for (enum events_count e = 0; e < EVENTS_NUMBERS; e++)
			sum[e] += direct[e];
	}
	assert_true(sum[EVENTS_MISPREDICTED] && sum[EVENTS_CONDITIONAL_TAKEN] &&
		    sum[EVENTS_UNALIGNED] && sum[EVENTS_SPLIT_LOADS] &&
		    sum[EVENTS_PAGE_SPLIT_STORES] && sum[EVENTS_STALLS_MEMORY] &&
		    sum[EVENTS_L2_CODE_MISSES]);
}

/* --- With and without time --- */

enum time_told { ALWAYS, NEVER, AT_TIMES };

/* QEMU drops its translations now and then, in the middle of a run, too. */
static void count_timed(enum time_told when, const char *uarch, bool threaded,
			uint64_t counts[EVENTS_NUMBERS])
{
	static struct told t;

	begin_told(&t, uarch, threaded);
	micro_set_ip(t.core->micro, follow_ip);
	assert_true(!threaded || follow_by_ring(t.follower, &t.times));
	follow_time(t.follower, when == ALWAYS);
	for (unsigned i = 0; i < STEPS; i++) {
		if (when == AT_TIMES && i % 997 == 0) {
			count_all(&t);
			follow_time(t.follower, i / 997 % 3);
		}
		put_run(&t, steps[i].run);
		if (i % 503 == 0) {
			count_all(&t);
			follow_forget_runs(t.follower);
		}
		for (unsigned a = 0; a < naccesses[steps[i].run - runs]; a++)
			put_access(&t, a, DATA + (a + 1) * 512 * i, a == 1);
	}
	count_all(&t);
	memcpy(counts, t.core->counts, EVENTS_NUMBERS * sizeof(*counts));
	free_told(&t);
}

/* Counts that have no time are the same without, and no others are counted then. */
TEST(test_without_time)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl", "zen4"};
	uint64_t with[EVENTS_NUMBERS], without[EVENTS_NUMBERS], at_times[EVENTS_NUMBERS];

	for (unsigned i = 0; i < 10; i++) {
		lay_out_runs();
		make_steps();
		count_timed(ALWAYS, names[i % 5], i / 5, with);
		count_timed(NEVER, names[i % 5], i / 5, without);
		count_timed(AT_TIMES, names[i % 5], i / 5, at_times);
		assert_true(with[EVENTS_CYCLES] && with[EVENTS_PREFETCHES] &&
			    at_times[EVENTS_CYCLES]);
		for (enum events_count e = 0; e < EVENTS_NUMBERS; e++) {
			const bool timed = events_level_of(e) == EVENTS_LEVEL_MODEL;

			assert_int_equal(without[e], timed ? 0 : with[e]);
			if (!timed)
				assert_int_equal(at_times[e], with[e]);
		}
	}
}

/* --- Loops --- */

/* A run that branches to itself. Its bytes may be in two lines, and it may keep a unit busy. */
static struct follow_run loop_of(unsigned kind)
{
	static const struct core_insn *insns[2][3];
	const uint64_t va = kind & 1 ? CODE + 60 : CODE;
	const bool divides = kind & 2;
	struct timed_rig rig;

	assert_true(core_model_near(&rig.model, "skx"));
	insns[divides][0] = rig_insn(&rig, divides ? "f7f1" : "480fafc1");
	insns[divides][1] = rig_insn(&rig, "4839c8");
	insns[divides][2] = rig_insn(&rig, "7502");

	return (struct follow_run){
		.block = {.va = va, .physical = va, .bytes = 10, .shift = 12},
		.insns = {.va = va, .by_next = 4, .n = 3, .insns = insns[divides]},
		.ends_in_branch = true,
		.branch = {.ip = va + 8,
			   .next = va + 10,
			   .target = va,
			   .kind = MICRO_CONDITIONAL,
			   .models = true},
	};
}

/* Many turns of the run, with other code in between. */
static void count_loops(struct told *t, const struct follow_run *run)
{
	static const unsigned turns[] = {0, 1, 2, 100, 259, 260, 261, 600, 150000, 3, 1000};

	for (unsigned i = 0; i < 33; i++) {
		put_run(t, run);
		for (unsigned k = 0; k < turns[i % 11]; k++)
			if (t->is_direct)
				put_run(t, run);
			else
				follow_again_in(&t->feed, (uint64_t)run | FOLLOW_RUN);
		for (unsigned k = 0; k < i * 40; k++)
			put_step(t, &steps[k]);
	}
	count_all(t);
}

TEST(test_loops)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl", "zen4"};
	static struct told direct, put;

	lay_out_runs();
	make_steps();
	for (unsigned i = 0; i < 40; i++) {
		const struct follow_run run = loop_of(i / 5 % 4);
		const unsigned flags = i / 20 ? MICRO_IPC1 : 0;

		assert_true(follow_is_loop(&run));
		begin_with(&direct, names[i % 5], false, flags);
		begin_with(&put, names[i % 5], i % 2, flags);
		direct.is_direct = true;
		count_loops(&direct, &run);
		count_loops(&put, &run);
		assert_counts_equal(direct.core->counts, put.core->counts);
		free_told(&direct);
		free_told(&put);
	}
}

/* --- Records of accesses --- */

TEST(test_addresses_with_records)
{
	assert_true(follow_has_record(0xffff800000000000));
	assert_false(follow_has_record(0x0000800000000000));
}

/* --- Faults, interrupts --- */

/* A load, and a branch back to it; a handler that ends by IRET. */
static const struct core_insn *load_insns[2], *leave_insns[1];
static const struct follow_run loads = {
	.block = {.va = CODE, .physical = CODE, .bytes = 6, .shift = 12},
	.insns = {.va = CODE, .by_access = 1, .by_next = 2, .n = 2, .insns = load_insns},
	.ends_in_branch = true,
	.branch = {.ip = CODE + 4,
		   .next = CODE + 6,
		   .target = CODE,
		   .needs = 1,
		   .kind = MICRO_CONDITIONAL,
		   .models = true},
};
static const struct follow_run leaves = {
	.block = {.va = CODE + 6, .physical = CODE + 6, .bytes = 4, .shift = 12},
	.insns = {.va = CODE + 6, .n = 1, .insns = leave_insns},
};
static const struct follow_run handler = {
	.block = {.va = 0x800000, .physical = 0x800000, .bytes = 2, .shift = 12},
	.insns = {.va = 0x800000, .n = 1, .insns = leave_insns},
	.ends_in_branch = true,
	.branch = {.ip = 0x800000, .next = 0x800002, .kind = MICRO_FAR, .models = true},
};

static uint64_t taken(struct told *t)
{
	count_all(t);
	return t->core->counts[EVENTS_CONDITIONAL_TAKEN];
}

TEST(test_faults)
{
	static struct told t;

	for (unsigned direct = 0; direct < 2; direct++) {
		begin_told(&t, "skx", false);
		t.is_direct = direct;
		put_run(&t, &loads); /* its load faults */
		put_run(&t, &handler);
		put_run(&t, &loads);
		assert_int_equal(taken(&t), 0);
		put_access(&t, 0, DATA, false);
		put_run(&t, &handler); /* an interrupt behind the branch */
		assert_int_equal(taken(&t), 0);
		put_run(&t, &loads); /* it was taken */
		assert_int_equal(taken(&t), 1);
		put_access(&t, 0, DATA, false);
		put_run(&t, &leaves); /* and was not */
		assert_int_equal(taken(&t), 1);
		free_told(&t);
	}
}

/* The load is from a device: QEMU leaves the run, executes the load alone, and goes on after it. */
TEST(test_again)
{
	struct follow_run rest = loads;
	static struct told t;

	rest.block.va = rest.block.physical = CODE + 4;
	rest.branch.needs = 0;
	for (unsigned direct = 0; direct < 2; direct++) {
		begin_told(&t, "skx", false);
		t.is_direct = direct;
		put_run(&t, &loads);
		if (direct)
			follow_again(t.follower, &loads);
		else
			feed_put(&t.feed, (uint64_t)&loads | FOLLOW_AGAIN);
		put_access(&t, 0, DATA, false);
		put_run(&t, &rest);
		assert_int_equal(t.follower->nwaiting, 0);
		put_run(&t, &loads);
		assert_int_equal(taken(&t), 1);
		assert_int_equal(t.follower->nwaiting, 0);
		free_told(&t);
	}
}

/* Another run reuses the memory of a run whose last branch is not resolved yet. */
TEST(test_forgotten_run)
{
	static struct follow_run gone;
	static struct told t;

	gone = loads;
	begin_told(&t, "skx", false);
	put_run(&t, &gone);
	put_access(&t, 0, DATA, false);
	count_all(&t);
	follow_forget_runs(t.follower);
	memset(&gone, 0xff, sizeof(gone));
	follow_arrived(t.follower, CODE);
	assert_int_equal(taken(&t), 1);
	free_told(&t);
}

FIXTURE(set_up)
{
	struct timed_rig rig;

	core = core_named("skx", 0);
	assert_true(core_model_near(&rig.model, "skx"));
	load_insns[0] = rig_insn(&rig, "488b03");
	load_insns[1] = rig_insn(&rig, "7502");
	leave_insns[0] = rig_insn(&rig, "4801c8");
	return 0;
}

FIXTURE(tear_down)
{
	core_free(core, true);
	return 0;
}

/* --- Last branches --- */

#define EVERY_KIND ((1u << BRANCH_KINDS) - 1)

static void record_into(struct told *t, struct branch_stack *stack, uint8_t wanted)
{
	*stack = (struct branch_stack){.depth = 32, .on = true, .wanted = wanted};
	t->follower->branches = stack;
}

static unsigned put_accesses(const struct step *s)
{
	return s->va[0] % 64 ? naccesses[s->run - runs] : 0;
}

static bool is_taken_to(const struct follow_branch *b, uint64_t va)
{
	if (b->kind == MICRO_CONDITIONAL)
		return va == b->target;
	return (!b->target || va == b->target) && (b->target || va != b->ip);
}

/* The kinds in records, by enum micro_branch. */
static const uint8_t kinds[] = {BRANCH_KIND_JCC,      BRANCH_KIND_REL_JUMP, BRANCH_KIND_REL_CALL,
				BRANCH_KIND_IND_JUMP, BRANCH_KIND_IND_CALL, BRANCH_KIND_RETURN,
				BRANCH_KIND_FAR};

/* The taken branches, from the steps. */
static void expect_records(struct branch_stack *stack, uint8_t wanted)
{
	*stack = (struct branch_stack){.depth = 32, .on = true, .wanted = wanted};
	for (unsigned i = 0; i + 1 < STEPS; i++) {
		const struct follow_branch *b = &steps[i].run->branch;
		const uint64_t to = steps[i + 1].run->block.va;

		if (steps[i].run->ends_in_branch && put_accesses(&steps[i]) >= b->needs &&
		    is_taken_to(b, to))
			branch_stack_add(stack, (enum branch_kind)kinds[b->kind],
					 (struct branch_record){.from = b->ip, .to = to});
	}
}

static void assert_same_places(const struct branch_stack *a, const struct branch_stack *b)
{
	assert_int_equal(a->newest, b->newest);
	for (unsigned i = 0; i < a->depth; i++) {
		assert_int_equal(a->record[i].from, b->record[i].from);
		assert_int_equal(a->record[i].to, b->record[i].to);
		assert_int_equal(BRANCH_KIND_OF(a->record[i].info),
				 BRANCH_KIND_OF(b->record[i].info));
	}
}

static void record_by(enum way way, uint8_t wanted, struct branch_stack *stack,
		      uint64_t counts[EVENTS_NUMBERS])
{
	static struct told t;

	begin_told(&t, "skx", way >= BY_THREAD);
	record_into(&t, stack, wanted);
	t.is_direct = way == DIRECTLY;
	for (unsigned i = 0; i < STEPS; i++)
		put_step(&t, &steps[i]);
	count_all(&t);
	memcpy(counts, t.core->counts, EVENTS_NUMBERS * sizeof(*counts));
	free_told(&t);
}

/* Each way gives the same branches and cycles. Counts do not depend on recording branches. */
TEST(test_records)
{
	static const uint8_t wanted[] = {EVERY_KIND, 1 << BRANCH_KIND_JCC, 1 << BRANCH_KIND_FAR,
					 1 << BRANCH_KIND_REL_CALL | 1 << BRANCH_KIND_RETURN};
	uint64_t plain[EVENTS_NUMBERS], recorded[EVENTS_NUMBERS];
	struct branch_stack expected, direct, other;

	lay_out_runs();
	make_steps();
	count_by(DIRECTLY, "skx", plain);
	for (unsigned i = 0; i < sizeof(wanted); i++) {
		expect_records(&expected, wanted[i]);
		record_by(DIRECTLY, wanted[i], &direct, recorded);
		assert_counts_equal(plain, recorded);
		assert_same_places(&direct, &expected);
		for (enum way way = BY_VCPU; way <= BY_THREAD; way++) {
			record_by(way, wanted[i], &other, recorded);
			assert_counts_equal(plain, recorded);
			assert_memory_equal(&direct, &other, sizeof(direct));
		}
	}
	record_by(DIRECTLY, 0, &direct, recorded);
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(direct.record[i].from, 0);
}

/* In a loop whose turns are reported together each turn is recorded. */
TEST(test_recorded_loops)
{
	const struct follow_run run = loop_of(0);
	struct branch_stack stack;
	static struct told t;

	begin_told(&t, "skx", false);
	record_into(&t, &stack, EVERY_KIND);
	put_run(&t, &run);
	for (unsigned i = 0; i < 20; i++)
		follow_again_in(&t.feed, (uint64_t)&run | FOLLOW_RUN);
	count_all(&t);
	assert_int_equal(stack.newest, 20);
	for (unsigned i = 1; i <= 20; i++) {
		assert_int_equal(stack.record[i].from, run.branch.ip);
		assert_int_equal(stack.record[i].to, run.block.va);
		assert_true(stack.record[i].info & BRANCH_TIMED);
	}
	assert_int_equal(stack.record[21].from, 0);
	free_told(&t);
}

/* The log has all branches, also those that were not taken, the same in each way. */
static void expect_log(struct branch_log *log, bool wants)
{
	*log = (struct branch_log){.on = true, .wants = wants};
	for (unsigned i = 0; i + 1 < STEPS; i++) {
		const struct follow_branch *b = &steps[i].run->branch;
		const uint64_t to = steps[i + 1].run->block.va;
		const bool leads = !b->target || to == b->target ||
				   (b->kind == MICRO_CONDITIONAL && to == b->next);

		if (steps[i].run->ends_in_branch && put_accesses(&steps[i]) >= b->needs && leads &&
		    (b->target || to != b->ip))
			branch_log_add(log, (enum branch_kind)kinds[b->kind],
				       (is_taken_to(b, to) ? LOGGED_TAKEN : 0) |
					       (b->next - b->ip) << LOGGED_LENGTH_SHIFT,
				       b->ip, to);
	}
}

static void log_by(enum way way, bool wants, struct branch_log *log)
{
	static struct branch_stack stack;
	static struct told t;

	begin_told(&t, "skx", way >= BY_THREAD);
	record_into(&t, &stack, 0);
	*log = (struct branch_log){.on = true, .wants = wants};
	t.follower->log = log;
	t.is_direct = way == DIRECTLY;
	for (unsigned i = 0; i < STEPS; i++)
		put_step(&t, &steps[i]);
	count_all(&t);
	free_told(&t);
}

TEST(test_log)
{
	static struct branch_log expected, log;

	lay_out_runs();
	make_steps();
	for (unsigned wants = 0; wants < 2; wants++) {
		expect_log(&expected, wants);
		assert_true(expected.n);
		for (enum way way = DIRECTLY; way <= BY_THREAD; way++) {
			log_by(way, wants, &log);
			assert_int_equal(log.n, expected.n);
			assert_int_equal(log.lost, expected.lost);
			for (unsigned i = 0; i < log.n; i++) {
				assert_int_equal(log.entry[i].from & ~LOGGED_MISPREDICTED,
						 expected.entry[i].from);
				assert_int_equal(log.entry[i].to, expected.entry[i].to);
			}
		}
	}
}

/* If a run begins elsewhere than expected, an event was delivered. A run that stops at a branch to
 * that place did not execute the branch. */
TEST(test_deliveries)
{
	static const struct follow_run far = {
		.block = {.va = 0x800000, .physical = 0x800000, .bytes = 2, .shift = 12},
		.insns = {.va = 0x800000, .n = 1, .insns = leave_insns},
		.ends_in_branch = true,
		.branch = {.ip = 0x800000, .next = 0x800002, .kind = MICRO_FAR, .models = true},
	};
	static struct branch_log log;
	struct branch_stack stack;
	static struct told t;

	begin_told(&t, "skx", false);
	t.is_direct = true;
	record_into(&t, &stack, EVERY_KIND);
	log = (struct branch_log){.on = true};
	t.follower->log = &log;
	stack.enters = true;
	stack.enters_at = stack.enters_from = CODE + 6;
	put_run(&t, &leaves);
	assert_int_equal(stack.newest, 0);
	stack.enters = true;
	stack.enters_at = CODE + 10;
	stack.enters_from = CODE + 8;
	put_run(&t, &far);
	assert_int_equal(stack.newest, 1);
	assert_int_equal(stack.record[1].from, CODE + 8);
	assert_int_equal(stack.record[1].to, 0x800000);
	assert_int_equal(BRANCH_KIND_OF(stack.record[1].info), BRANCH_KIND_FAR);
	assert_int_equal(log.n, 1);
	assert_int_equal(branch_logged_from(&log.entry[0]), CODE + 8);
	assert_int_equal(log.entry[0].to, 0x800000);
	assert_int_equal(LOGGED_KIND(log.entry[0].from), BRANCH_KIND_FAR);
	assert_true(log.entry[0].from & LOGGED_DELIVERED);
	follow_arrived(t.follower, 0x800000);
	assert_int_equal(stack.newest, 1);
	/* The last branch leads to the ring in which the guest stopped. */
	put_run(&t, &far);
	stack.wanted_then = 0;
	follow_stopped(t.follower);
	follow_arrived(t.follower, CODE);
	assert_int_equal(stack.newest, 1);
	put_run(&t, &far);
	stack.wanted_then = EVERY_KIND;
	follow_stopped(t.follower);
	follow_arrived(t.follower, CODE);
	assert_int_equal(stack.newest, 2);
	assert_int_equal(stack.record[2].to, CODE);
	free_told(&t);
}

GROUP(set_up, tear_down);
