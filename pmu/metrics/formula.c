// SPDX-License-Identifier: BSD-2-Clause
/*
 * formula.c - see formula.h. A table has the binary operators and their precedence; the parser uses
 * precedence climbing.
 */
#include "pmu/metrics/formula.h"

#include "lib/ascii.h"
#include "lib/string.h"

#include <linux/errno.h>

struct parser {
	struct formula_pool *pool;
	const struct formula_names *names;
	const char *text;
	size_t n, i;
	unsigned depth;
	size_t *at;
	struct reason *why;
};

static int parse_choice(struct parser *p);

/* --- Nodes --- */

int formula_add(struct formula_pool *pool, const struct formula_node *node, struct reason *why)
{
	if (pool->n == FORMULA_NODES)
		return refuse(why, E2BIG, "the formulas together have more than %d parts",
			      FORMULA_NODES);
	pool->node[pool->n] = *node;
	return (int)pool->n++;
}

static struct real real_of_bool(bool is)
{
	return real_of(is);
}

static struct real remainder_of(struct real a, struct real b)
{
	const int64_t n = real_to_integer(a), d = real_to_integer(b);

	if (!d)
		return real_nan();
	return d == -1 ? real_of(0) : real_of_signed(n % d);
}

static struct real bits_of(enum formula_op op, struct real a, struct real b)
{
	const int64_t n = real_to_integer(a), m = real_to_integer(b);

	if (op == FORMULA_AND)
		return real_of_signed(n & m);
	return real_of_signed(op == FORMULA_OR ? n | m : n ^ m);
}

static struct real compute(enum formula_op op, struct real a, struct real b, struct real c)
{
	switch (op) {
	case FORMULA_ADD:
		return real_add(a, b);
	case FORMULA_SUBTRACT:
		return real_subtract(a, b);
	case FORMULA_MULTIPLY:
		return real_multiply(a, b);
	case FORMULA_DIVIDE:
		return real_is_zero(b) ? real_nan() : real_divide(a, b);
	case FORMULA_RATIO:
		return real_is_zero(b) ? real_of(0) : real_divide(a, b);
	case FORMULA_REMAINDER:
		return remainder_of(a, b);
	case FORMULA_LESS:
		return real_of_bool(real_less(a, b));
	case FORMULA_LESS_OR_EQUAL:
		return real_of_bool(real_less(a, b) || real_equal(a, b));
	case FORMULA_EQUAL:
		return real_of_bool(real_equal(a, b));
	case FORMULA_NOT_EQUAL:
		return real_of_bool(!real_equal(a, b));
	case FORMULA_NEGATE:
		return real_negate(a);
	case FORMULA_MIN:
		return real_less(a, b) ? a : b;
	case FORMULA_MAX:
		return real_less(b, a) ? a : b;
	case FORMULA_CHOICE:
		return real_is_zero(b) ? c : a;
	default:
		return bits_of(op, a, b);
	}
}

static unsigned operands_of(enum formula_op op)
{
	if (op <= FORMULA_TIME)
		return 0;
	return op == FORMULA_NEGATE ? 1 : op == FORMULA_CHOICE ? 3 : 2;
}

static int add_number(struct parser *p, struct real number, bool literal)
{
	const struct formula_node node = {
		.op = FORMULA_NUMBER, .literal = literal, .number = number};

	return formula_add(p->pool, &node, p->why);
}

static const struct formula_node *node_of(const struct parser *p, int index)
{
	return &p->pool->node[index];
}

static bool is_number(const struct parser *p, int index)
{
	return node_of(p, index)->op == FORMULA_NUMBER;
}

static int complain_at(struct parser *p, size_t at)
{
	*p->at = at;
	return -EINVAL;
}

static bool divides(enum formula_op op)
{
	return op == FORMULA_DIVIDE || op == FORMULA_REMAINDER;
}

static bool is_always_zero(const struct formula_node *node, enum formula_op op)
{
	if (node->op != FORMULA_NUMBER || !node->literal)
		return false;
	return op == FORMULA_REMAINDER ? !real_to_integer(node->number)
				       : real_is_zero(node->number);
}

/*
 * Adds an operation, or its value if all operands are numbers. `at` is the position of the
 * operator.
 */
static int add_operation(struct parser *p, enum formula_op op, int a, int b, int c, size_t at)
{
	const struct formula_node node = {
		.op = op, .a = (uint16_t)a, .b = (uint16_t)b, .c = (uint16_t)c};
	const unsigned n = operands_of(op);
	bool numbers, literal;

	if (divides(op) && is_always_zero(node_of(p, b), op)) {
		refuse(p->why, EINVAL, "it divides by 0, whatever is counted");
		return complain_at(p, at);
	}
	numbers = is_number(p, a) && (n < 2 || is_number(p, b)) && (n < 3 || is_number(p, c));
	if (!numbers)
		return formula_add(p->pool, &node, p->why);
	literal = node_of(p, a)->literal && (n < 2 || node_of(p, b)->literal) &&
		  (n < 3 || node_of(p, c)->literal);
	return add_number(p,
			  compute(op, node_of(p, a)->number,
				  n < 2 ? real_of(0) : node_of(p, b)->number,
				  n < 3 ? real_of(0) : node_of(p, c)->number),
			  literal);
}

/* --- Words --- */

static bool begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '#';
}

static bool continues_name(char c)
{
	return begins_name(c) || ascii_is_digit(c) || c == '.' || c == ':' || c == '?' ||
	       c == '@' || c == '\\';
}

static void skip_blanks(struct parser *p)
{
	while (p->i < p->n && ascii_is_blank(p->text[p->i]))
		p->i++;
}

/* True where the characters `word` come next, and a name does not continue behind them. */
static bool comes(struct parser *p, const char *word)
{
	const size_t n = strlen(word);

	skip_blanks(p);
	if (p->n - p->i < n || memcmp(p->text + p->i, word, n))
		return false;
	return !begins_name(*word) || p->i + n == p->n || !continues_name(p->text[p->i + n]);
}

static bool take_word(struct parser *p, const char *word)
{
	if (!comes(p, word))
		return false;
	p->i += strlen(word);
	return true;
}

/* Complains of the next character, where `wanted` is expected. */
static int complain_of_next(struct parser *p, const char *wanted)
{
	skip_blanks(p);
	if (p->i == p->n)
		refuse(p->why, EINVAL, "it ends where %s is to be", wanted);
	else if (p->text[p->i] > ' ' && p->text[p->i] < 127)
		refuse(p->why, EINVAL, "'%c' stands where %s is to be", p->text[p->i], wanted);
	else
		refuse(p->why, EINVAL, "a byte 0x%02x stands where %s is to be",
		       (unsigned char)p->text[p->i], wanted);
	return complain_at(p, p->i);
}

/*
 * Reads a name into `name`. A backslash escapes the next character. All characters between two @,
 * which stand for slashes, belong to the name, as in perf's cpu@event\=0x3c\,umask\=1@.
 */
static int read_escaped_name(struct parser *p, char name[FORMULA_NAME])
{
	const size_t begin = p->i;
	bool quoted = false;
	size_t n = 0;

	for (; p->i < p->n && (quoted || continues_name(p->text[p->i])); p->i++) {
		char c = p->text[p->i];

		if (c == '@') {
			quoted = !quoted;
			c = '/';
		} else if (c == '\\' && ++p->i < p->n) {
			c = p->text[p->i];
		}
		if (n + 1 == FORMULA_NAME) {
			refuse(p->why, EINVAL, "a name has at most %d characters",
			       FORMULA_NAME - 1);
			return complain_at(p, begin);
		}
		name[n++] = c;
	}
	name[n] = '\0';
	if (!quoted)
		return 0;
	refuse(p->why, EINVAL, "the second @ of %s is missing", name);
	return complain_at(p, begin);
}

/* --- Grammar --- */

static int parse_number(struct parser *p)
{
	const size_t begin = p->i;
	struct real number;
	const size_t taken = real_read(&number, p->text + begin, p->n - begin);

	p->i += taken;
	if (!taken)
		refuse(p->why, EINVAL, "a number has at most 19 digits, and is 1e-27 to 1e27");
	else if (p->i < p->n && continues_name(p->text[p->i]))
		refuse(p->why, EINVAL, "'%c' stands behind a number", p->text[p->i]);
	else
		return add_number(p, number, true);
	return complain_at(p, taken ? p->i : begin);
}

static int take_comma(struct parser *p, const char *name)
{
	if (take_word(p, ","))
		return 0;
	if (comes(p, ")"))
		refuse(p->why, EINVAL, "%s() takes two values", name);
	else
		return complain_of_next(p, "a comma");
	return complain_at(p, p->i);
}

static int close_call(struct parser *p, const char *name)
{
	if (take_word(p, ")"))
		return 0;
	if (comes(p, ","))
		refuse(p->why, EINVAL, "%s() takes two values", name);
	else
		return complain_of_next(p, "a bracket )");
	return complain_at(p, p->i);
}

/* Parses a call behind the opening bracket. */
static int parse_call(struct parser *p, const char *name, size_t begin)
{
	static const struct {
		const char *name;
		enum formula_op op;
	} functions[] = {{"min", FORMULA_MIN}, {"max", FORMULA_MAX}, {"d_ratio", FORMULA_RATIO}};
	const size_t nfunctions = sizeof(functions) / sizeof(functions[0]);
	size_t f = 0;
	int a, b;

	while (f < nfunctions && strcmp(functions[f].name, name))
		f++;
	if (f == nfunctions) {
		refuse(p->why, EINVAL, "there is no function '%s'; there are min, max and d_ratio",
		       name);
		return complain_at(p, begin);
	}
	a = parse_choice(p);
	if (a < 0 || take_comma(p, name))
		return -EINVAL;
	b = parse_choice(p);
	if (b < 0 || close_call(p, name))
		return -EINVAL;
	return add_operation(p, functions[f].op, a, b, 0, begin);
}

static int parse_name(struct parser *p)
{
	const size_t begin = p->i;
	char name[FORMULA_NAME];
	int node;

	if (read_escaped_name(p, name))
		return -EINVAL;
	if (!strcmp(name, "if") || !strcmp(name, "else")) {
		refuse(p->why, EINVAL, "'%s' stands where a value is to be: A if CONDITION else B",
		       name);
		return complain_at(p, begin);
	}
	if (take_word(p, "("))
		return parse_call(p, name, begin);
	node = p->names->find(p->names->ctx, name, p->depth, p->why);
	return node < 0 ? complain_at(p, begin) : node;
}

static int parse_brackets(struct parser *p)
{
	const int node = parse_choice(p);

	if (node < 0 || take_word(p, ")"))
		return node;
	return complain_of_next(p, "a bracket )");
}

static int parse_value(struct parser *p)
{
	size_t at;
	int a;

	skip_blanks(p);
	at = p->i;
	if (p->i < p->n && (ascii_is_digit(p->text[at]) || p->text[at] == '.'))
		return parse_number(p);
	if (p->i < p->n && begins_name(p->text[at]))
		return parse_name(p);
	if (take_word(p, "("))
		return parse_brackets(p);
	if (!take_word(p, "-"))
		return complain_of_next(p, "a value");
	if (p->depth >= FORMULA_DEPTH)
		return parse_choice(p); /* reports the depth */
	p->depth++;
	a = parse_value(p);
	p->depth--;
	return a < 0 ? a : add_operation(p, FORMULA_NEGATE, a, 0, 0, at);
}

/* An operator precedes those that are a prefix of it. */
static const struct {
	const char *text;
	uint8_t binds;
	uint8_t op;
	bool swapped;
} operators[] = {
	{"|", 1, FORMULA_OR, false},
	{"^", 2, FORMULA_XOR, false},
	{"&", 3, FORMULA_AND, false},
	{"<=", 4, FORMULA_LESS_OR_EQUAL, false},
	{">=", 4, FORMULA_LESS_OR_EQUAL, true},
	{"==", 4, FORMULA_EQUAL, false},
	{"!=", 4, FORMULA_NOT_EQUAL, false},
	{"<", 4, FORMULA_LESS, false},
	{">", 4, FORMULA_LESS, true},
	{"-", 5, FORMULA_SUBTRACT, false},
	{"+", 5, FORMULA_ADD, false},
	{"*", 6, FORMULA_MULTIPLY, false},
	{"/", 6, FORMULA_DIVIDE, false},
	{"%", 6, FORMULA_REMAINDER, false},
};
#define NOPERATORS (sizeof(operators) / sizeof(operators[0]))

static size_t next_operator(struct parser *p)
{
	size_t i = 0;

	while (i < NOPERATORS && !comes(p, operators[i].text))
		i++;
	return i;
}

/* Parses operators with a precedence of at least `least`. */
static int parse_operation(struct parser *p, unsigned least)
{
	int left = parse_value(p), right;
	size_t i, at;

	for (;;) {
		if (left < 0)
			return left;
		i = next_operator(p);
		if (i == NOPERATORS || operators[i].binds < least)
			return left;
		at = p->i;
		p->i += strlen(operators[i].text);
		right = parse_operation(p, operators[i].binds + 1u);
		if (right < 0)
			return right;
		left = operators[i].swapped ? add_operation(p, operators[i].op, right, left, 0, at)
					    : add_operation(p, operators[i].op, left, right, 0, at);
	}
}

/* Parses a condition behind `if`. */
static int parse_condition(struct parser *p, int a, size_t at)
{
	const int condition = parse_operation(p, 1);
	int c;

	if (condition < 0)
		return condition;
	if (!take_word(p, "else"))
		return complain_of_next(p, "`else`");
	c = parse_choice(p);
	if (c < 0)
		return c;
	if (is_number(p, condition))
		return real_is_zero(node_of(p, condition)->number) ? c : a;
	return add_operation(p, FORMULA_CHOICE, a, condition, c, at);
}

static int parse_choice(struct parser *p)
{
	size_t at;
	int a;

	if (p->depth >= FORMULA_DEPTH) {
		refuse(p->why, E2BIG, "it is more than %d brackets and names deep", FORMULA_DEPTH);
		return complain_at(p, p->i);
	}
	p->depth++;
	a = parse_operation(p, 1);
	at = p->i;
	if (a >= 0 && take_word(p, "if"))
		a = parse_condition(p, a, at);
	p->depth--;
	return a;
}

int formula_parse(struct formula_pool *pool, const char *text, size_t n, unsigned depth,
		  const struct formula_names *names, size_t *at, struct reason *why)
{
	struct parser p = {.pool = pool,
			   .names = names,
			   .text = text,
			   .n = n,
			   .depth = depth,
			   .at = at,
			   .why = why};
	int node;

	*at = 0;
	node = parse_choice(&p);
	skip_blanks(&p);
	if (node < 0 || p.i == n)
		return node;
	return complain_of_next(&p, "an operator or the end");
}

/* --- Values --- */

/* Marks the nodes that `root` needs, including itself. */
static void mark_needed(struct formula_pool *pool, unsigned root)
{
	memset(pool->needed, 0, sizeof(pool->needed));
	pool->needed[root] = true;
	for (unsigned i = root + 1; i--;) {
		const struct formula_node *node = &pool->node[i];
		const unsigned n = operands_of(node->op);

		if (!pool->needed[i])
			continue;
		if (n >= 1)
			pool->needed[node->a] = true;
		if (n >= 2)
			pool->needed[node->b] = true;
		if (n >= 3)
			pool->needed[node->c] = true;
	}
}

uint64_t formula_events(struct formula_pool *pool, unsigned root)
{
	uint64_t events = 0;

	mark_needed(pool, root);
	for (unsigned i = 0; i <= root; i++)
		if (pool->needed[i] && pool->node[i].op == FORMULA_COUNT)
			events |= 1ull << pool->node[i].a;
	return events;
}

bool formula_needs_time(struct formula_pool *pool, unsigned root)
{
	mark_needed(pool, root);
	for (unsigned i = 0; i <= root; i++)
		if (pool->needed[i] && pool->node[i].op == FORMULA_TIME)
			return true;
	return false;
}

static struct real node_value(const struct formula_pool *pool, const struct formula_node *node,
			      const struct real *count, struct real time)
{
	const unsigned n = operands_of(node->op);

	if (node->op == FORMULA_NUMBER)
		return node->number;
	if (node->op == FORMULA_COUNT)
		return count[node->a];
	if (node->op == FORMULA_TIME)
		return time;
	return compute(node->op, pool->value[node->a], n < 2 ? real_of(0) : pool->value[node->b],
		       n < 3 ? real_of(0) : pool->value[node->c]);
}

struct real formula_value(struct formula_pool *pool, unsigned root, const struct real *count,
			  struct real time)
{
	mark_needed(pool, root);
	for (unsigned i = 0; i <= root; i++)
		if (pool->needed[i])
			pool->value[i] = node_value(pool, &pool->node[i], count, time);
	return pool->value[root];
}
