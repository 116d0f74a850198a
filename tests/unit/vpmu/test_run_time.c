// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_run_time.c - the time of runs: sums that hold for any program, latencies of each level, and
 * counts that do not depend on where runs are cut and when counts are read.
 */
#include "tests/unit/vpmu/timed_rig.h"

#include "tests/unit/test.h"

#define DATA        0x40000000ull
#define INSNS       400
#define LINE_OF(va) ((va) >> 6)

static const char *const personalities[] = {"hsw", "skx", "icl", "adl", "zen4"};
#define NAMES (sizeof(personalities) / sizeof(*personalities))

/* --- A random program --- */

static const struct {
	const char *hex;
	uint8_t loads, stores;
} kinds[] = {
	{"488b03", 1, 0},   /* mov rax, [rbx] */
	{"488b00", 1, 0},   /* mov rax, [rax] */
	{"488903", 0, 1},   /* mov [rbx], rax */
	{"4801c8", 0, 0},   /* add rax, rcx */
	{"480fafc1", 0, 0}, /* imul rax, rcx */
	{"f7f1", 0, 0},     /* div ecx */
	{"f20f5ec1", 0, 0}, /* divsd xmm0, xmm1 */
	{"0f58c1", 0, 0},   /* addps xmm0, xmm1 */
	{"66b83412", 0, 0}, /* mov ax, 1234 */
	{"4839c8", 0, 0},   /* cmp rax, rcx */
	{"7502", 0, 0},     /* jnz */
	{"50", 0, 1},       /* push rax */
	{"58", 1, 0},       /* pop rax */
	{"48015308", 1, 1}, /* add [rbx + 8], rdx */
	{"0fa2", 0, 0},     /* cpuid */
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

struct played_insn {
	const struct core_insn *insn;
	uint64_t va;
	unsigned kind;
	uint64_t data;
};

static struct played_insn program[INSNS];

static void make_timed_program(const struct timed_rig *r, uint64_t seed)
{
	uint64_t va = RIG_CODE;

	r->caches->random = seed;
	for (unsigned i = 0; i < INSNS; i++) {
		const uint64_t random = core_random(r->caches);
		const unsigned kind = (unsigned)(random % KINDS);

		program[i] = (struct played_insn){
			rig_insn(r, kinds[kind].hex), va, kind,
			DATA + (random >> 8) % (random >> 4 & 3 ? 4096 : 1 << 22) / 8 * 8};
		va += program[i].insn->bytes;
	}
}

static bool is_jump(const struct played_insn *i)
{
	return i->insn->jumps_on;
}

static bool retires_by_access(const struct played_insn *i)
{
	return kinds[i->kind].loads + kinds[i->kind].stores == 1;
}

static bool retires_by_next(const struct played_insn *i)
{
	return is_jump(i) || kinds[i->kind].loads + kinds[i->kind].stores > 1 ||
	       i->insn->flags & CORE_SERIAL;
}

static uint64_t last_line(const struct played_insn *i)
{
	return LINE_OF(i->va + i->insn->bytes - 1);
}

/* The instructions of a run from `first` on: they end in one line, and a jump is the last. */
static unsigned insns_of_run(unsigned first, unsigned most)
{
	unsigned n = 1;

	while (n < most && first + n < INSNS && !is_jump(&program[first + n - 1]) &&
	       last_line(&program[first + n]) == last_line(&program[first]))
		n++;
	return n;
}

static void play_timed_run(struct timed_rig *r, struct timed_insns *run,
			   const struct core_insn **insns, unsigned first, unsigned n)
{
	const struct played_insn *before = first ? &program[first - 1] : NULL;

	*run = (struct timed_insns){.va = program[first].va, .n = (uint16_t)n, .insns = insns};
	for (unsigned i = 0; i < n; i++) {
		insns[i] = program[first + i].insn;
		run->by_access |= (uint64_t)retires_by_access(&program[first + i]) << i;
		run->by_next |= (uint64_t)retires_by_next(&program[first + i]) << i;
	}
	rig_run(r, run, false, before && is_jump(before) && before->data & 64);
	if (before && is_jump(before))
		r->caches->micro->run_end = 0;
	for (unsigned i = 0; i < n; i++) {
		const struct played_insn *p = &program[first + i];

		if (kinds[p->kind].loads)
			rig_access(r, i, false, p->data);
		if (kinds[p->kind].stores)
			rig_access(r, i, true, p->data);
	}
}

/* Runs are cut as long as they can be, or at random; counts are read at random. */
static void play_timed(struct timed_rig *r, bool cuts, bool reads)
{
	static struct timed_insns run[2];
	static const struct core_insn *insns[2][TIMED_INSNS];
	unsigned n, at = 0;

	for (unsigned round = 0; round < 30; round++)
		for (unsigned i = 0; i < INSNS; i += n, at ^= 1) {
			const uint64_t random = core_random(r->caches);

			n = insns_of_run(i, cuts && random & 1 ? 1 + random / 2 % 4 : TIMED_INSNS);
			play_timed_run(r, &run[at], insns[at], i, n);
			if (!reads || random >> 20 & 3)
				continue;
			time_known(r->time);
			time_publish(r->time);
		}
	rig_counts(r);
}

static void assert_same_counts(const uint64_t *a, const uint64_t *b)
{
	for (enum events_count e = 0; e < EVENTS_NUMBERS; e++)
		if (a[e] != b[e])
			fail_msg("event %d: %llu, %llu", e, (unsigned long long)a[e],
				 (unsigned long long)b[e]);
}

TEST(test_cuts_and_reads_change_nothing)
{
	for (uint64_t seed = 1; seed < 41; seed++) {
		const char *name = personalities[seed % NAMES];
		struct timed_rig whole, cut;

		rig_begin(&whole, name, 0);
		make_timed_program(&whole, seed);
		play_timed(&whole, false, false);
		for (unsigned way = 1; way < 4; way++) {
			rig_begin(&cut, name, 0);
			cut.caches->random = seed * 4 + way;
			play_timed(&cut, way & 1, way & 2);
			assert_same_counts(whole.caches->counts, cut.caches->counts);
			rig_end(&cut);
		}
		rig_end(&whole);
	}
}

/* --- Instructions without a row --- */

static uint64_t rowless_named(const uint64_t *n, const char *mnemonic)
{
	for (unsigned i = 0; i < EVENTS_ROWLESS_KINDS; i++)
		if (!strncmp(time_rowless[i], mnemonic, EVENTS_MNEMONIC))
			return n[EVENTS_ROWLESS + i];
	return 0;
}

static uint64_t all_rowless(const uint64_t *n)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < EVENTS_ROWLESS_KINDS; i++)
		sum += n[EVENTS_ROWLESS + i];
	return sum;
}

/* Each execution counts, one by one and as a repeated loop; instructions with a row do not. */
TEST(test_rowless_are_counted)
{
	static const char *const loop[] = {"4801c8", "0f94c4", "4801c8"}; /* setz ah */
	const struct core_insn *insns[3];
	struct timed_insns run = {.va = RIG_CODE, .rowless = 2, .n = 3, .insns = insns};
	struct timed_rig r;

	rig_begin(&r, "zen4", 0);
	for (unsigned i = 0; i < 3; i++)
		insns[i] = rig_insn(&r, loop[i]);
	assert_false(insns[0]->flags & CORE_UNKNOWN);
	assert_true(insns[1]->flags & CORE_UNKNOWN);
	for (unsigned i = 0; i < 100; i++)
		rig_run(&r, &run, i, false);
	assert_int_equal(rowless_named(rig_counts(&r), "SETZ"), 100);
	rig_run(&r, &run, false, false);
	time_repeat(r.time, 1000);
	assert_int_equal(rowless_named(rig_counts(&r), "SETZ"), 1101);
	assert_int_equal(all_rowless(r.caches->counts), 1101);
	rig_end(&r);
}

/* Mnemonics that find no count of their own share the last one. */
TEST(test_rowless_others)
{
	struct core_insn insn;
	const struct core_insn *one;
	struct timed_insns run = {.va = RIG_CODE, .rowless = 1, .n = 1, .insns = &one};
	struct timed_rig r;

	rig_begin(&r, "zen4", 0);
	core_describe_unknown(&insn, 2);
	for (uint16_t i = 1; i <= EVENTS_ROWLESS_KINDS + 5; i++) {
		insn.mnemonic = i;
		one = time_intern(&insn);
		rig_run(&r, &run, false, false);
		rig_counts(&r);
	}
	assert_int_equal(all_rowless(r.caches->counts), EVENTS_ROWLESS_KINDS + 5);
	assert_string_equal(time_rowless[EVENTS_ROWLESS_KINDS - 1], "others");
	assert_true(rowless_named(r.caches->counts, "others") >= 6);
	rig_end(&r);
}

/* --- Sums --- */

static void check_pending(const uint64_t *n)
{
	assert_true(n[EVENTS_PENDING_LLC] <= n[EVENTS_PENDING_L2]);
	assert_true(n[EVENTS_PENDING_L2] <= n[EVENTS_PENDING_L1D]);
	assert_true(n[EVENTS_PENDING_L1D] <= n[EVENTS_MISS_SLOTS]);
}

/* Counts of cycles, by what happens in them. The present cycle has not passed yet. */
static void check_cycles(const uint64_t *n, unsigned width)
{
	const uint64_t passed = n[EVENTS_STALLS_EXECUTE] + n[EVENTS_EXECUTING_1];
	const uint64_t late = n[EVENTS_LATE_1] + n[EVENTS_LATE_2] + n[EVENTS_LATE_3] +
			      n[EVENTS_LATE_4] + n[EVENTS_LATE_5];

	assert_in_range(n[EVENTS_CYCLES] - passed, 0, 1);
	assert_int_equal(n[EVENTS_STALLS_RETIRE] + n[EVENTS_RETIRING], passed);
	assert_int_equal(n[EVENTS_STALLS_BACKEND],
			 n[EVENTS_FULL_REORDER] + n[EVENTS_FULL_SCHEDULER] + n[EVENTS_FULL_LOADS] +
				 n[EVENTS_FULL_STORES] + n[EVENTS_SERIALIZED]);
	assert_int_equal(n[EVENTS_SLOTS_FRONTEND],
			 late + (width > 5 ? n[EVENTS_STALLS_FRONTEND] : 0));
	if (width <= 5)
		assert_int_equal(n[EVENTS_LATE_1 + width - 1], n[EVENTS_STALLS_FRONTEND]);
}

static void check_time(const uint64_t *n, unsigned width)
{
	const uint64_t lost = n[EVENTS_WRONG_PATH] + n[EVENTS_SLOTS_FRONTEND] +
			      n[EVENTS_SLOTS_MEMORY] + n[EVENTS_SLOTS_CORE];
	const uint64_t stalls = n[EVENTS_STALLS_FRONTEND] + n[EVENTS_STALLS_BAD_SPECULATION] +
				n[EVENTS_STALLS_BACKEND];

	assert_int_equal(n[EVENTS_SLOTS], n[EVENTS_UOPS] + lost);
	assert_int_equal(n[EVENTS_CYCLES], n[EVENTS_SLOTS] / width);
	assert_true(stalls <= n[EVENTS_CYCLES] && stalls * width <= lost);
	assert_int_equal(n[EVENTS_STALLS_BACKEND],
			 n[EVENTS_STALLS_L1] + n[EVENTS_STALLS_L2] + n[EVENTS_STALLS_LLC] +
				 n[EVENTS_STALLS_MEMORY] + n[EVENTS_STALLS_STORES] +
				 n[EVENTS_STALLS_CORE]);
	check_cycles(n, width);
}

TEST(test_sums)
{
	static const uint8_t counted[] = {
		EVENTS_STALLS_FRONTEND, EVENTS_STALLS_BAD_SPECULATION,
		EVENTS_STALLS_MEMORY,   EVENTS_STALLS_CORE,
		EVENTS_WRONG_PATH,      EVENTS_SLOTS_FRONTEND,
		EVENTS_SLOTS_MEMORY,    EVENTS_SLOTS_CORE,
		EVENTS_DIVIDER,         EVENTS_MISS_SLOTS,
		EVENTS_PENDING_LLC,     EVENTS_LATENT_LOADS,
		EVENTS_LATE_1,          EVENTS_RETIRING,
		EVENTS_STALLS_EXECUTE,  EVENTS_STALLS_RETIRE,
	};

	for (size_t i = 0; i < NAMES; i++) {
		struct timed_rig r;

		rig_begin(&r, personalities[i], 0);
		make_timed_program(&r, 7 + i);
		r.time->latency = 100;
		for (unsigned k = 0; k < 20; k++) {
			play_timed(&r, true, true);
			check_pending(r.caches->counts);
			check_time(r.caches->counts, r.shape.width);
		}
		for (size_t k = 0; k < sizeof(counted) / sizeof(*counted); k++)
			if (!r.caches->counts[counted[k]])
				fail_msg("%s: event %d never counted", personalities[i],
					 counted[k]);
		rig_end(&r);
	}
}

/* --- Latencies --- */

/* Walks a list: mov rax, [rax]; or reads an array: mov rax, [rbx]. Returns the cycles of a load,
 * and the part of them in which nothing else happens for that cause. */
static double walk_lines(const char *name, uint64_t lines, bool chained, enum events_count cause,
			 double *part)
{
	struct timed_rig r;
	const struct core_insn *insn;
	struct timed_insns run = {.va = RIG_CODE, .by_access = 1, .n = 1, .insns = &insn};
	uint64_t before = 0, stalls = 0;

	rig_begin(&r, name, MICRO_NO_PREFETCH);
	r.caches->page_shift = 21;
	insn = rig_insn(&r, chained ? "488b00" : "488b03");
	for (unsigned round = 0; round < 3; round++) {
		before = rig_counts(&r)[EVENTS_CYCLES];
		stalls = r.caches->counts[cause];
		for (uint64_t i = 0; i < lines; i++) {
			rig_run(&r, &run, false, false);
			rig_access(&r, 0, false, DATA + i * 64);
		}
	}
	before = rig_counts(&r)[EVENTS_CYCLES] - before;
	*part = (double)(r.caches->counts[cause] - stalls) / (double)before;
	rig_end(&r);
	return (double)before / (double)lines;
}

static void check_latency(const char *name, uint64_t lines, uint32_t cycles,
			  enum events_count cause)
{
	double part;
	const double each = walk_lines(name, lines, true, cause, &part);

	if (part < 0.5 || part > 1)
		fail_msg("%s: %u lines, %.2f of the time", name, (unsigned)lines, part);
	if (each < cycles * 0.97 - 1 || each > cycles * 1.03 + 1)
		fail_msg("%s: %u lines, %.2f cycles instead of %u", name, (unsigned)lines, each,
			 (unsigned)cycles);
}

/* An element of a list takes as long as a load from its level. */
TEST(test_latencies)
{
	for (size_t i = 0; i < NAMES; i++) {
		const struct geometry *g = vpmu_geometry(personalities[i]);

		check_latency(personalities[i], 512, g->l1d.cycles, EVENTS_STALLS_L1);
		check_latency(personalities[i], g->l2.kib * 8ull, g->l2.cycles, EVENTS_STALLS_L2);
		check_latency(personalities[i], g->l2.kib * 32ull, g->llc.cycles,
			      EVENTS_STALLS_LLC);
	}
}

/* Independent elements overlap, up to the number of fill buffers, and as fast as lines come. */
TEST(test_overlap)
{
	for (size_t i = 0; i < NAMES; i++) {
		const struct geometry *g = vpmu_geometry(personalities[i]);
		double part;
		const double by_buffers = (double)g->llc.cycles / g->fills,
			     least = by_buffers > g->llc_line_cycles ? by_buffers
								     : g->llc_line_cycles,
			     each = walk_lines(personalities[i], g->l2.kib * 32ull, false,
					       EVENTS_STALLS_LLC, &part);

		assert_true(each > least * 0.95 && each < least * 1.15 + 1);
	}
}

/* Straight-line code beyond L1I: branch prediction asks for lines ahead, so they overlap. */
TEST(test_code_ahead)
{
	for (size_t i = 0; i < NAMES; i++) {
		struct timed_rig r;
		const struct core_insn *insns[8];
		const unsigned lines = 2048;
		uint64_t before = 0, cycles;

		rig_begin(&r, personalities[i], 0);
		r.caches->page_shift = 21;
		for (unsigned k = 0; k < 8; k++)
			insns[k] = rig_insn(&r, "660f1f840000000000"); /* a NOP of 9 bytes */
		for (unsigned round = 0; round < 3; round++) {
			before = rig_counts(&r)[EVENTS_CYCLES];
			for (unsigned k = 0; k < lines; k++) {
				struct timed_insns run = {
					.va = RIG_CODE + k * 64ull, .n = 7, .insns = insns};

				rig_run(&r, &run, false, false);
				time_known(r.time);
				time_end(r.time, false, false);
			}
		}
		cycles = rig_counts(&r)[EVENTS_CYCLES] - before;
		assert_in_range(cycles, lines * 2, lines * 6);
		rig_end(&r);
	}
}

/* --- Without a core --- */

TEST(test_ipc1)
{
	struct timed_rig r;

	rig_begin(&r, "icl", MICRO_IPC1);
	make_timed_program(&r, 5);
	play_timed(&r, true, true);
	assert_int_equal(r.caches->counts[EVENTS_CYCLES], 30 * INSNS);
	assert_int_equal(r.caches->counts[EVENTS_SLOTS], 30 * INSNS * 5);
	assert_int_equal(r.caches->counts[EVENTS_STALLS_BACKEND], 0);
	rig_end(&r);
}

/* --- Runs that end early --- */

/* A run that faults counts what was before the fault. */
TEST(test_fault)
{
	struct timed_rig r;
	const struct core_insn *insns[3];
	struct timed_insns run = {.va = RIG_CODE, .by_access = 2, .n = 3, .insns = insns};

	rig_begin(&r, "skx", 0);
	insns[0] = rig_insn(&r, "4801c8");
	insns[1] = rig_insn(&r, "488b03");
	insns[2] = insns[0];
	rig_run(&r, &run, false, false);
	assert_int_equal(rig_counts(&r)[EVENTS_UOPS], 1);
	rig_run(&r, &run, false, false);
	rig_access(&r, 1, false, DATA);
	assert_int_equal(rig_counts(&r)[EVENTS_UOPS], 4);
	rig_end(&r);
}

/* A load that gets the register of an earlier store has its data before it begins: that takes no
 * time, and is no long latency. */
TEST(test_taken_over_data_take_no_time)
{
	const struct core_insn *insns[64];
	struct timed_insns run = {
		.va = RIG_CODE, .by_access = 1ull << 40 | 1, .n = 41, .insns = insns};
	struct timed_rig r;

	rig_begin(&r, "zen4", 0);
	r.time->latency = 100;
	insns[0] = rig_insn(&r, "4889442408"); /* mov [rsp + 8], rax */
	for (unsigned i = 1; i < 40; i++)
		insns[i] = rig_insn(&r, "90");
	insns[40] = rig_insn(&r, "488b4c2408"); /* mov rcx, [rsp + 8] */
	for (unsigned i = 0; i < 200; i++) {
		rig_run(&r, &run, i, false);
		rig_access(&r, 0, true, DATA);
		rig_access(&r, 40, false, DATA);
	}
	rig_counts(&r);
	assert_in_range(r.time->access[1].cycles, 0, 10);
	assert_in_range(r.caches->counts[EVENTS_LATENT_LOADS], 0, 1); /* the line comes once */
	rig_end(&r);
}

/* Only a loop whose micro-operations all have room comes from the loop buffer. */
TEST(test_loops_that_are_too_long)
{
	for (unsigned long_one = 0; long_one < 2; long_one++) {
		const struct core_insn *insns[16];
		struct timed_insns runs[8];
		const unsigned nruns = long_one ? 8 : 2; /* of 16 instructions; icl's buffer: 70 */
		struct timed_rig r;

		rig_begin(&r, "icl", 0);
		for (unsigned i = 0; i < 16; i++)
			insns[i] = rig_insn(&r, "0f1f4000");
		for (unsigned i = 0; i < nruns; i++)
			runs[i] = (struct timed_insns){
				.va = RIG_CODE + 64ull * i, .n = 16, .insns = insns};
		for (unsigned i = 0; i < 300 * nruns; i++)
			rig_run(&r, &runs[i % nruns], i % nruns == 0 && i, false);
		rig_counts(&r);
		if (long_one)
			assert_int_equal(r.caches->counts[EVENTS_UOPS_LOOP], 0);
		else
			assert_true(r.caches->counts[EVENTS_UOPS_LOOP] > 16 * 500);
		rig_end(&r);
	}
}

/* A description that is gone leaves a copy. */
TEST(test_forgotten)
{
	struct timed_rig r;
	const struct core_insn *insns[2];
	struct timed_insns run = {.va = RIG_CODE, .by_next = 2, .n = 2, .insns = insns};

	rig_begin(&r, "skx", 0);
	insns[0] = rig_insn(&r, "480fafc1");
	insns[1] = rig_insn(&r, "7502");
	rig_run(&r, &run, false, false);
	time_known(r.time);
	time_forget_runs(r.time);
	memset(&run, 0xff, sizeof(run));
	assert_int_equal(rig_counts(&r)[EVENTS_UOPS], 2);
	rig_end(&r);
}
