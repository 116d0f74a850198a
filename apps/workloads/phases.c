// SPDX-License-Identifier: BSD-2-Clause
/*
 * phases.c - a program whose rates of events change while it runs, in a way that is chosen: it
 * tests scaled counts. It consists of grains, some 1000 instructions of one sort of work each; a
 * mix says how often each sort comes, and a course how the mix changes from grain to grain. The
 * seed determines all of it.
 */
#include "apps/workloads/crt.h"

#define SORTS       5
#define WALK_BYTES  (WORKLOAD_HEAP_BYTES / 2)
#define WALK_LINES  (WALK_BYTES / 64)
#define STREAM_LINE 128 /* words of a grain that streams */

enum course { STEADY, FEW_PHASES, MANY_PHASES, DRIFTING, IN_TURN, BURSTS, NCOURSES };

struct mix {
	uint32_t upto[SORTS]; /* the share of the sorts up to this one, of 65536 */
};

struct phases {
	uint64_t random, at; /* `at`: where the walk is */
	struct mix now, other;
	uint64_t grains, left, period;
};

static uint32_t random_bits(struct phases *p)
{
	p->random = p->random * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(p->random >> 33);
}

static uint64_t random_between(struct phases *p, uint64_t least, uint64_t most)
{
	return least + random_bits(p) % (most - least + 1);
}

/* --- What a grain does --- */

static void compute(struct phases *p)
{
	uint64_t x = p->random;

	for (unsigned i = 0; i < 250; i++) {
		x = x * 5 + i;
		__asm__ volatile("" : "+r"(x));
	}
}

static void walk(struct phases *p)
{
	char *heap = (char *)WORKLOAD_HEAP;

	for (unsigned i = 0; i < 140; i++) {
		p->at = (p->at * 5 + 12347) % WALK_LINES;
		*(volatile uint64_t *)(heap + p->at * 64);
	}
}

static void guess(struct phases *p)
{
	for (unsigned i = 0; i < 120; i++) {
		if (random_bits(p) & 1)
			__asm__ volatile("nop");
		__asm__ volatile("");
	}
}

static void stream(struct phases *p)
{
	uint64_t *words = (uint64_t *)(WORKLOAD_HEAP + WALK_BYTES);
	const uint64_t first = random_bits(p) % 4096;

	for (unsigned i = 0; i < STREAM_LINE; i++) {
		words[first + i] = words[first + i + STREAM_LINE];
		__asm__ volatile("" : : : "memory");
	}
}

static __attribute__((noinline)) uint64_t one_more(uint64_t n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

static void call(struct phases *p)
{
	uint64_t n = p->at;

	for (unsigned i = 0; i < 125; i++)
		n = one_more(n);
}

static void do_grain(struct phases *p)
{
	const uint32_t dice = random_bits(p) & 0xffff;

	if (dice < p->now.upto[0])
		compute(p);
	else if (dice < p->now.upto[1])
		walk(p);
	else if (dice < p->now.upto[2])
		guess(p);
	else if (dice < p->now.upto[3])
		stream(p);
	else
		call(p);
}

/* --- How the mix changes --- */

static struct mix draw_mix(struct phases *p)
{
	uint32_t share[SORTS], sum = 0, upto = 0;
	struct mix m;

	for (unsigned i = 0; i < SORTS; i++)
		sum += share[i] =
			(uint32_t)random_between(p, 0, 3) * (uint32_t)random_between(p, 0, 100) + 1;
	for (unsigned i = 0; i < SORTS; i++)
		m.upto[i] = (upto += share[i]) * 65536 / sum;
	return m;
}

static void exchange_mixes(struct phases *p)
{
	const struct mix was = p->now;

	p->now = p->other;
	p->other = was;
}

/* The length of the phase that begins, in grains of 16 us under vpmu. */
static uint64_t phase_length(struct phases *p, enum course course)
{
	switch (course) {
	case FEW_PHASES:
		return random_between(p, p->grains / 8, p->grains / 2);
	case MANY_PHASES:
		return random_between(p, 1, random_between(p, 1, 1250));
	case IN_TURN:
		return p->period;
	case BURSTS:
		return random_between(p, 20, 120) * (p->left & 1 ? 1 : 8);
	default:
		return p->grains + 1;
	}
}

static void begin_phase(struct phases *p, enum course course)
{
	if (course == IN_TURN || course == BURSTS)
		exchange_mixes(p);
	else if (course == FEW_PHASES || course == MANY_PHASES)
		p->now = draw_mix(p);
}

static void drift(struct phases *p, const struct mix *from, uint64_t grain)
{
	for (unsigned i = 0; i < SORTS; i++)
		p->now.upto[i] = (uint32_t)((from->upto[i] * (p->grains - grain) +
					     p->other.upto[i] * grain) /
					    p->grains);
}

static void run_course(struct phases *p, enum course course)
{
	const struct mix first = p->now;
	uint64_t ends = phase_length(p, course);

	for (uint64_t grain = 0; grain < p->grains; grain++) {
		if (grain >= ends) {
			p->left++;
			begin_phase(p, course);
			ends = grain + phase_length(p, course);
		}
		if (course == DRIFTING)
			drift(p, &first, grain);
		do_grain(p);
	}
}

static void workload_phases(uint64_t grains, uint64_t course, uint64_t seed, uint64_t period)
{
	struct phases p = {.random = seed * 0x9e3779b97f4a7c15 + course, .grains = grains};

	random_bits(&p);
	p.now = draw_mix(&p);
	p.other = draw_mix(&p);
	p.period = period ? period : random_between(&p, 60, 4000);
	run_course(&p, (enum course)course);
	linux_exit_group(0);
}

static const struct workload phases = {
	.name = "phases",
	.usage = "[N] [course=HOW] [seed=SEED] [period=PERIOD]",
	.summary =
		"N times (10000) some 1000 instructions, whose mix changes by HOW (0): 0 not, 1 a few "
		"times, 2 often, 3 steadily, 4 to and fro, 5 in bursts. SEED (1) chooses the course, "
		"PERIOD the number of turns from to to fro (0: SEED chooses)",
	.entry = WORKLOAD_CODE(workload_phases),
	.params = {{"N", WORKLOAD_NUMBER, 10000, 1, UINT32_MAX},
		   {"course", WORKLOAD_NUMBER, STEADY, STEADY, NCOURSES - 1},
		   {"seed", WORKLOAD_NUMBER, 1, 0, UINT64_MAX},
		   {"period", WORKLOAD_NUMBER, 0, 0, UINT32_MAX}},
};
WORKLOAD_ENTRY(phases);
