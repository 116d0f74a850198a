// SPDX-License-Identifier: BSD-2-Clause
/* test_deliveries.c - counts of the front end: what delivers, in which cycles, and why not. */
#include "tests/unit/test.h"
#include "tests/unit/vpmu/timed_rig.h"

#define NOP4     "0f1f4000"
#define MOV_LCP  "66b83412" /* mov ax, 0x1234 */
#define CPUID    "0fa2"
#define COMPARE  "4839c3" /* cmp rbx, rax */
#define JUMP     "75f0"
#define PER_LINE 16u
#define ROUNDS   200u

/* Lines of code of equal instructions. */
#define LINES 64u
struct nop_lines {
	const struct core_insn *insns[PER_LINE];
	struct timed_insns runs[LINES];
};

static void fill_lines(struct nop_lines *lines, struct timed_rig *r, const char *hex)
{
	for (unsigned i = 0; i < PER_LINE; i++)
		lines->insns[i] = rig_insn(r, hex);
	for (unsigned i = 0; i < LINES; i++)
		lines->runs[i] = (struct timed_insns){
			.va = RIG_CODE + 64ull * i, .n = PER_LINE, .insns = lines->insns};
}

static struct core_deliveries deliveries_of(struct timed_rig *r)
{
	struct core_counts counts;

	rig_counts(r);
	core_read(r->time->core, &counts);
	return counts.deliveries;
}

/* Lines `from` to `from` + `n` - 1 run `rounds` times. Where code does not go on, a jump led. */
static void play_lines(struct timed_rig *r, const struct nop_lines *lines, unsigned from,
		       unsigned n, unsigned rounds)
{
	for (unsigned i = 0; i < n * rounds; i++) {
		const struct timed_insns *run = &lines->runs[from + i % n];

		rig_run(r, run, r->next != run->va, false);
	}
}

/* Cycles and slots of a source fit what it delivers. */
static void check_source(const struct core_deliveries *d, enum core_source from, unsigned width,
			 unsigned most)
{
	assert_true(d->at_width[from] <= d->cycles[from]);
	assert_true(d->uops[from] <= d->cycles[from] * most);
	assert_true(d->uops[from] >= d->at_width[from] * width);
	assert_true(d->uops[from] >= d->cycles[from]);
}

/* New code comes from the decoders, four instructions a cycle, and then from the op cache. */
TEST(test_decoders_and_op_cache)
{
	struct core_deliveries d;
	struct nop_lines lines;
	struct timed_rig r;

	rig_begin(&r, "hsw", 0);
	fill_lines(&lines, &r, NOP4);
	play_lines(&r, &lines, 0, 60, 1);
	d = deliveries_of(&r);
	assert_int_equal(d.uops[CORE_FROM_DECODERS], 60 * PER_LINE);
	assert_int_equal(d.cycles[CORE_FROM_DECODERS], 60 * PER_LINE / 4);
	assert_int_equal(d.at_width[CORE_FROM_DECODERS], 60 * PER_LINE / 4);
	assert_int_equal(d.switches, 0);
	play_lines(&r, &lines, 0, 12, ROUNDS);
	d = deliveries_of(&r);
	assert_true(d.uops[CORE_FROM_CACHE] > 11 * PER_LINE * ROUNDS);
	check_source(&d, CORE_FROM_CACHE, r.shape.width, r.shape.cache_width);
	rig_end(&r);
}

/* A group of rename does not go beyond the end of a loop: 32 micro-operations are six groups of
 * five, and one of two. */
TEST(test_loop_buffer)
{
	struct core_deliveries before, d;
	struct nop_lines lines;
	struct timed_rig r;
	uint64_t rounds;

	rig_begin(&r, "icl", 0);
	fill_lines(&lines, &r, NOP4);
	play_lines(&r, &lines, 0, 2, ROUNDS);
	before = deliveries_of(&r);
	play_lines(&r, &lines, 0, 2, ROUNDS);
	d = deliveries_of(&r);
	rounds = (d.uops[CORE_FROM_LOOP] - before.uops[CORE_FROM_LOOP]) / (2 * PER_LINE);
	assert_int_equal(rounds, ROUNDS);
	assert_int_equal(d.cycles[CORE_FROM_LOOP] - before.cycles[CORE_FROM_LOOP], 7 * ROUNDS);
	assert_int_equal(d.at_width[CORE_FROM_LOOP] - before.at_width[CORE_FROM_LOOP], 6 * ROUNDS);
	rig_end(&r);
}

/* Code that leaves the op cache for new code, again and again. */
TEST(test_switches)
{
	struct core_deliveries before, d;
	struct nop_lines lines;
	struct timed_rig r;

	rig_begin(&r, "skx", 0);
	fill_lines(&lines, &r, NOP4);
	play_lines(&r, &lines, 0, 4, ROUNDS);
	before = deliveries_of(&r);
	for (unsigned i = 0; i < 10; i++) {
		play_lines(&r, &lines, 0, 4, 3);
		play_lines(&r, &lines, 10 + i, 1, 1);
	}
	d = deliveries_of(&r);
	assert_int_equal(d.switches - before.switches, 10);
	assert_true(d.switching - before.switching >= 10);
	assert_int_equal(d.uops[CORE_FROM_DECODERS] - before.uops[CORE_FROM_DECODERS],
			 10 * PER_LINE);
	rig_end(&r);
}

/* The predecoder takes three cycles more for each length-changing prefix. */
TEST(test_prefixes)
{
	struct core_deliveries d;
	struct nop_lines lines;
	struct timed_rig r;

	rig_begin(&r, "skx", 0);
	fill_lines(&lines, &r, MOV_LCP);
	play_lines(&r, &lines, 0, 50, 1);
	d = deliveries_of(&r);
	assert_int_equal(d.prefixes, 3 * 50 * PER_LINE);
	assert_int_equal(r.caches->counts[EVENTS_PREFIX_CYCLES], d.prefixes);
	rig_end(&r);
}

/* Microcode is no delivery of a source, and all micro-operations have one of both. */
TEST(test_microcode)
{
	const struct core_insn *insns[4];
	struct timed_insns run = {.va = RIG_CODE, .n = 4, .insns = insns};
	struct core_deliveries d;
	uint64_t uops = 0;
	struct timed_rig r;

	rig_begin(&r, "skx", 0);
	insns[0] = rig_insn(&r, CPUID);
	insns[1] = insns[2] = insns[3] = rig_insn(&r, NOP4);
	for (unsigned i = 0; i < ROUNDS; i++)
		rig_run(&r, &run, i > 0, false);
	d = deliveries_of(&r);
	for (unsigned i = 0; i < CORE_SOURCES_OF_UOPS; i++)
		uops += d.uops[i];
	assert_int_equal(d.microcoded, ROUNDS);
	assert_int_equal(d.microcode, (uint64_t)ROUNDS * insns[0]->issued);
	assert_int_equal(uops, 3 * ROUNDS);
	assert_int_equal(r.caches->counts[EVENTS_UOPS_MICROCODE], d.microcode);
	rig_end(&r);
}

TEST(test_fused_jumps)
{
	const struct core_insn *insns[2];
	struct timed_insns run = {.va = RIG_CODE, .n = 2, .insns = insns};
	struct timed_rig r;

	rig_begin(&r, "skx", 0);
	insns[0] = rig_insn(&r, COMPARE);
	insns[1] = rig_insn(&r, JUMP);
	for (unsigned i = 0; i < ROUNDS; i++)
		rig_run(&r, &run, i > 0, false);
	assert_int_equal(deliveries_of(&r).fused, ROUNDS);
	assert_int_equal(r.caches->counts[EVENTS_FUSED_JUMPS], ROUNDS);
	rig_end(&r);
}

/* The first line of code waits for its walk, and then for its level. */
TEST(test_code_waits)
{
	const uint8_t code[] = {0x0f, 0x1f, 0x40, 0x00};
	struct core_counts counts;
	struct core_model model;
	struct core_insn nop;
	struct core *core;

	assert_true(core_model_find(&model, "skx"));
	assert_int_equal(core_describe(&nop, &model, code, sizeof(code)), sizeof(code));
	core = calloc(1, core_bytes());
	assert_non_null(core);
	core_init(core, &model);
	core_fetch_walk(core, RIG_CODE, CORE_IN_L2, 30);
	core_fetch_line(core, CORE_IN_LLC, 60);
	core_step(core, &nop, RIG_CODE, NULL, false, false);
	core_read(core, &counts);
	assert_int_equal(counts.deliveries.walks, 30);
	assert_int_equal(counts.deliveries.lines, 60);
	free(core);
}
