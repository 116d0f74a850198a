// SPDX-License-Identifier: BSD-2-Clause
/* test_lanes.c - levels and the second TLB take one request every few cycles. */
#include "tests/unit/vpmu/timed_rig.h"
#include "vpmu/core/core_state.h"

#include "tests/unit/test.h"

#define DATA  0x40000000ull
#define LOADS 1000
#define SLACK 100 /* cycles at the start and at the end */

struct lane_core {
	struct core_model model;
	struct core_shape shape;
	struct core_insn independent, chained; /* mov rcx, [rbx]; mov rax, [rax] */
	struct core *core;
};

static void describe_load(const struct lane_core *c, struct core_insn *insn, uint8_t modrm)
{
	const uint8_t code[] = {0x48, 0x8b, modrm};

	assert_int_equal(core_describe(insn, &c->model, code, sizeof(code)), sizeof(code));
}

static void begin_lanes(struct lane_core *c, enum core_lane lane, unsigned every)
{
	assert_true(core_model_find(&c->model, "zen4"));
	c->shape = *c->model.shape;
	memset(c->shape.lane_cycles, 0, sizeof(c->shape.lane_cycles));
	c->shape.lane_cycles[lane] = (uint8_t)every;
	c->shape.fills = 0;
	c->model.shape = &c->shape;
	describe_load(c, &c->independent, 0x0b);
	describe_load(c, &c->chained, 0x00);
	c->core = calloc(1, core_bytes());
	assert_non_null(c->core);
	core_init(c->core, &c->model);
}

static void load(struct lane_core *c, const struct core_insn *insn, unsigned i,
		 struct core_access access)
{
	access.va = DATA + i * 64ull;
	access.bytes = 8;
	core_step(c->core, insn, RIG_CODE, &access, false, false);
}

static uint64_t end_lanes(struct lane_core *c)
{
	const uint64_t cycles = core_time(c->core);

	free(c->core);
	return cycles;
}

/* Independent loads from each level come as fast as its lane lets them. */
TEST(test_levels)
{
	static const enum core_lane lanes[] = {[CORE_IN_L2] = CORE_LANE_L2,
					       [CORE_IN_LLC] = CORE_LANE_LLC,
					       [CORE_IN_MEMORY] = CORE_LANE_MEMORY};

	for (unsigned level = CORE_IN_L2; level <= CORE_IN_MEMORY; level++)
		for (unsigned every = 1; every <= 8; every *= 2) {
			struct lane_core c;

			begin_lanes(&c, lanes[level], every);
			for (unsigned i = 0; i < LOADS; i++)
				load(&c, &c.independent, i,
				     (struct core_access){.cycles = 20, .level = (uint8_t)level});
			assert_in_range(end_lanes(&c), LOADS * every, LOADS * every + SLACK);
		}
}

TEST(test_second_tlb)
{
	struct lane_core c;

	begin_lanes(&c, CORE_LANE_STLB, 3);
	for (unsigned i = 0; i < LOADS; i++)
		load(&c, &c.independent, i, (struct core_access){.cycles = 7, .looks_up = true});
	assert_in_range(end_lanes(&c), LOADS * 3, LOADS * 3 + SLACK);
}

/* A request that nothing is before waits for nothing. */
TEST(test_idle_lane)
{
	struct lane_core c;
	uint64_t alone[2];

	for (unsigned every = 0; every < 2; every++) {
		begin_lanes(&c, CORE_LANE_MEMORY, every * 14);
		for (unsigned i = 0; i < LOADS; i++)
			load(&c, &c.chained, i,
			     (struct core_access){.cycles = 200, .level = CORE_IN_MEMORY});
		alone[every] = end_lanes(&c);
	}
	assert_int_equal(alone[0], alone[1]);
}

/* Loads that wait for each other leave turns, which independent ones behind them in the program
 * take. */
TEST(test_free_turns)
{
	uint64_t alone;
	struct lane_core c;

	for (unsigned more = 0; more < 2; more++) {
		begin_lanes(&c, CORE_LANE_L2, 2);
		for (unsigned i = 0; i < LOADS; i++) {
			load(&c, &c.chained, i,
			     (struct core_access){.cycles = 10, .level = CORE_IN_L2});
			if (more)
				load(&c, &c.independent, LOADS + i,
				     (struct core_access){.cycles = 10, .level = CORE_IN_L2});
		}
		if (!more)
			alone = end_lanes(&c);
	}
	assert_in_range(end_lanes(&c), alone, alone + alone / 5);
}

/* --- Many requests --- */

/* As core_memory.c has it, one turn after the other. */
struct plain_lane {
	uint64_t every;
	uint64_t begins[CORE_TURNS]; /* plus 1 */
};

static uint64_t begun_then(const struct plain_lane *l, uint64_t turn)
{
	const uint64_t begun = l->begins[turn % CORE_TURNS];

	return begun && (begun - 1) / l->every == turn ? begun : 0;
}

static uint64_t takes_plainly(struct plain_lane *l, uint64_t at)
{
	for (;;) {
		const uint64_t turn = at / l->every;
		const uint64_t before = turn ? begun_then(l, turn - 1) : 0;
		uint64_t same, next;

		if (before && before - 1 + l->every > at)
			at = before - 1 + l->every;
		same = begun_then(l, turn);
		next = begun_then(l, turn + 1);
		if (!same && (!next || next - 1 >= at + l->every)) {
			l->begins[turn % CORE_TURNS] = at + 1;
			return at;
		}
		at = (same ? same : next) - 1 + l->every;
	}
}

static uint64_t lane_random(uint64_t *random, uint64_t n)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (*random >> 33) % n;
}

/* Requests in any order of their times, as seldom or as often as the lane forgets them. */
TEST(test_random_requests)
{
	uint64_t random = 1;

	for (unsigned round = 0; round < 200; round++) {
		struct plain_lane plain = {.every = 1 + lane_random(&random, 16)};
		const uint64_t step = 1 + lane_random(&random, 2 * plain.every),
			       back = 1 +
				      lane_random(&random, lane_random(&random, 2) ? 50 : 10000);
		uint64_t now = 20000;
		struct lane_core c;

		begin_lanes(&c, CORE_LANE_MEMORY, (unsigned)plain.every);
		for (unsigned i = 0; i < 5000; i++) {
			const uint64_t at = now - lane_random(&random, back);

			assert_int_equal(core_line_arrives(c.core, CORE_IN_MEMORY, at, 0),
					 takes_plainly(&plain, at));
			now += lane_random(&random, lane_random(&random, 100) ? step : 20 * back);
		}
		end_lanes(&c);
	}
}
