/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formula.h - formulas over counts, as perf's metric expressions: numbers, names, + - * / %, < > <=
 * >= == !=, & | ^, min(), max(), d_ratio(), A if C else B. They become nodes of a pool, in which
 * operands come before what is computed of them, so that one pass over it has all values.
 *
 * What does not depend on counts is computed at once, and of `if` over such a condition only one
 * side stays: what the other one names is not counted. Numbers are lib/real.h's, so a value is the
 * one that any program has with `double`. Any context but NMIs; a pool is the caller's.
 */
#ifndef PMU_METRICS_FORMULA_H
#define PMU_METRICS_FORMULA_H

#include "lib/real.h"
#include "lib/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FORMULA_NODES 1024 /* of a pool */
#define FORMULA_DEPTH 32   /* brackets, signs and names inside of each other, all together */
#define FORMULA_NAME  160  /* bytes of a name, with the 0 at its end */

enum formula_op {
	FORMULA_NUMBER,
	FORMULA_COUNT, /* event `a` of the caller's */
	FORMULA_TIME,  /* seconds that went by */
	FORMULA_ADD,
	FORMULA_SUBTRACT,
	FORMULA_MULTIPLY,
	FORMULA_DIVIDE,
	FORMULA_REMAINDER,
	FORMULA_LESS,
	FORMULA_LESS_OR_EQUAL,
	FORMULA_EQUAL,
	FORMULA_NOT_EQUAL,
	FORMULA_AND,
	FORMULA_OR,
	FORMULA_XOR,
	FORMULA_NEGATE,
	FORMULA_MIN,
	FORMULA_MAX,
	FORMULA_RATIO,  /* d_ratio(): 0 where a / 0 */
	FORMULA_CHOICE, /* a if b else c */
};

struct formula_node {
	uint8_t op;
	bool literal; /* a number that the text alone says, not the machine */
	uint16_t a, b, c;
	struct real number;
};

struct formula_pool {
	unsigned n;
	struct formula_node node[FORMULA_NODES];
	/* While something is computed. */
	struct real value[FORMULA_NODES];
	bool needed[FORMULA_NODES];
};

/* formula_add() - one more node; its index, or -E2BIG with the reason. */
int formula_add(struct formula_pool *pool, const struct formula_node *node, struct reason *why);

/*
 * What asks for names: the node of `name`, or -E with the reason. `depth` is how deep inside of
 * others the name stands, for formulas that stand for it.
 */
struct formula_names {
	int (*find)(void *ctx, const char *name, unsigned depth, struct reason *why);
	void *ctx;
};

/*
 * formula_parse() - the node of the `n` characters `text`, `depth` deep inside of others (0). -E
 * with the reason, and where in the text, from 0 on, in `*at`: it is wrong, a name is not known, or
 * it divides by a 0 that does not depend on anything.
 */
int formula_parse(struct formula_pool *pool, const char *text, size_t n, unsigned depth,
		  const struct formula_names *names, size_t *at, struct reason *why);

/* formula_events() - a bit for each event that node `root` needs; events are 0 to 63.
 * formula_needs_time() - whether it needs the time. */
uint64_t formula_events(struct formula_pool *pool, unsigned root);
bool formula_needs_time(struct formula_pool *pool, unsigned root);

/*
 * formula_value() - of node `root`: `count` has the events that it needs, `time` is in seconds.
 * What is divided by 0 is not a number, as in perf.
 */
struct real formula_value(struct formula_pool *pool, unsigned root, const struct real *count,
			  struct real time);

#endif
