/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formula.h - formulas over counts, in the syntax of perf's metric expressions: numbers, names, + -
 * * / %, < > <= >= == !=, & | ^, min(), max(), d_ratio(), A if C else B. They become nodes of a
 * pool, in which operands precede the operation, so that one pass computes all values.
 *
 * Operations on constants are computed at once. A constant condition of `if` keeps only one branch;
 * events of the other branch are not counted. Numbers are those of lib/real.h, so values equal
 * those of any program with `double`. Any context but NMIs; the caller provides the pool.
 */
#ifndef PMU_METRICS_FORMULA_H
#define PMU_METRICS_FORMULA_H

#include "lib/real.h"
#include "lib/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FORMULA_NODES 1024 /* of one pool */
#define FORMULA_DEPTH 32   /* nesting of brackets, signs and names, all together */
#define FORMULA_NAME  160  /* bytes of a name, with the terminator */

enum formula_op {
	FORMULA_NUMBER,
	FORMULA_COUNT, /* the count of the caller's event `a` */
	FORMULA_TIME,  /* elapsed seconds */
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
	FORMULA_RATIO,  /* d_ratio(): 0 for a / 0 */
	FORMULA_CHOICE, /* a if b else c */
};

struct formula_node {
	uint8_t op;
	bool literal; /* a number of the text itself, not of the machine */
	uint16_t a, b, c;
	struct real number;
};

struct formula_pool {
	unsigned n;
	struct formula_node node[FORMULA_NODES];
	/* Scratch of computations. */
	struct real value[FORMULA_NODES];
	bool needed[FORMULA_NODES];
};

/* formula_add() - adds a node; returns its index, or -E2BIG with the reason. */
int formula_add(struct formula_pool *pool, const struct formula_node *node, struct reason *why);

/*
 * The look-up of names: returns the node of `name`, or -E with the reason. `depth` is the nesting
 * of the name, for names that stand for formulas.
 */
struct formula_names {
	int (*find)(void *ctx, const char *name, unsigned depth, struct reason *why);
	void *ctx;
};

/*
 * formula_parse() - parses the `n` characters at `text` and returns the node. `depth` is the
 * nesting so far (0). -E with the reason, and the position in the text, from 0, in `*at`: a syntax
 * error, an unknown name, or a division by a constant 0.
 */
int formula_parse(struct formula_pool *pool, const char *text, size_t n, unsigned depth,
		  const struct formula_names *names, size_t *at, struct reason *why);

/*
 * formula_events() - the mask of the events that node `root` needs; events are 0 to 63.
 * formula_needs_time() - true where it needs the time.
 */
uint64_t formula_events(struct formula_pool *pool, unsigned root);
bool formula_needs_time(struct formula_pool *pool, unsigned root);

/*
 * formula_value() - the value of node `root`: `count` has the events that it needs, `time` is in
 * seconds. A division by 0 gives not-a-number, as in perf.
 */
struct real formula_value(struct formula_pool *pool, unsigned root, const struct real *count,
			  struct real time);

#endif
