// SPDX-License-Identifier: BSD-2-Clause
/*
 * branch_predictor.c - decides which branches are mispredicted.
 *
 * Directions: TAGE (A. Seznec, P. Michaud, "A case for (partially) tagged geometric history length
 * branch prediction", 2006). It has counters without history, and tables of tagged counters that
 * look back further and further. The matching table that looks back the furthest predicts. Indirect
 * targets: the same idea (ITTAGE) over the last target. Returns: a stack.
 *
 * History: a bit for each conditional branch, two of the target for each indirect one. The path,
 * for targets: the same with four. A product gives index and tag in a table. Nothing is random.
 * Targets of direct branches are always known.
 */
#include "vpmu/micro/micro_priv.h"

#include "lib/bits.h"
#include "lib/string.h"

#define WORD_BITS 64
#define NONE      (-1)

/* A tagged counter: 11 bits of tag, 2 of usefulness, 3 of direction. A tag is odd, so never 0. */
#define COUNTER_BITS 3
#define USEFUL_BITS  2
#define USEFUL_SHIFT COUNTER_BITS
#define TAG_SHIFT    (COUNTER_BITS + USEFUL_BITS)
#define TAG_BITS     11
#define COUNTER_MAX  ((1u << COUNTER_BITS) - 1)
#define USEFUL_MAX   ((1u << USEFUL_BITS) - 1)
#define STATE_MAX    ((1u << TAG_SHIFT) - 1)
#define TAKEN_WEAKLY (1u << (COUNTER_BITS - 1))

/*
 * The base predictor: a counter (0 and 1: not taken), the directions that branches of that entry
 * have taken, the last direction, and how often it has repeated. The counter predicts, and no table
 * is looked up, in two cases: only one direction was ever taken, or the last one has repeated for
 * longer than any table looks back.
 */
#define BASE_COUNTER      3
#define BASE_EMPTY        1
#define BASE_WENT(taken)  ((taken) ? 8 : 4)
#define BASE_LAST         16
#define BASE_KEPT         15
#define BASE_STREAK_SHIFT 8

_Static_assert(MICRO_BASE_WENT == (BASE_WENT(true) | BASE_WENT(false)), "the same bits");

#define TRUST_MAX    7
#define FAILURES_MAX 255

#define SURE_MAX 3

static const uint64_t factors[MICRO_HISTORY_WORDS] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f,
						      0xd6e8feb86659fd93, 0xa0761d6478bd642f};
#define IP_FACTOR 0xbf58476d1ce4e5b9

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NOINLINE      __attribute__((noinline))

/* --- Hashes --- */

/* Combines both halves of a product, so each bit depends on all of `value`. */
ALWAYS_INLINE uint64_t mixed(uint64_t value, uint64_t factor)
{
	const unsigned __int128 product = (unsigned __int128)value * factor;

	return (uint64_t)product ^ (uint64_t)(product >> WORD_BITS);
}

ALWAYS_INLINE uint32_t index_of(uint64_t hash, unsigned table_bits)
{
	return (uint32_t)hash & ((1u << table_bits) - 1);
}

ALWAYS_INLINE uint16_t tag_of(uint64_t hash)
{
	return hash >> (WORD_BITS - TAG_BITS) | 1;
}

static void push_target(struct micro_predictor *p, uint64_t to)
{
	const uint64_t product = to * IP_FACTOR, hash = (product ^ product >> 29) * factors[0];

	for (unsigned i = MICRO_HISTORY_WORDS - 1; i > 0; i--)
		p->history[i] = p->history[i] << 2 | p->history[i - 1] >> (WORD_BITS - 2);
	p->history[0] = p->history[0] << 2 | hash >> (WORD_BITS - 2);
	p->path = p->path << 4 | hash >> (WORD_BITS - 4);
}

/* --- Directions --- */

/* The result of a look-up for one branch. An entry's state is all of it but the tag. */
struct direction {
	uint16_t *entry[GEOMETRY_TABLES];
	uint16_t tag[GEOMETRY_TABLES];
	uint16_t *base;
	uint32_t found; /* tables with a matching entry, as bits */
};

static unsigned useful_of(uint16_t entry)
{
	return entry >> USEFUL_SHIFT & USEFUL_MAX;
}

static void set_useful(uint16_t *entry, unsigned useful)
{
	*entry = (uint16_t)((*entry & ~(USEFUL_MAX << USEFUL_SHIFT)) | useful << USEFUL_SHIFT);
}

ALWAYS_INLINE bool base_says(uint16_t base)
{
	return (base & BASE_COUNTER) > BASE_EMPTY;
}

ALWAYS_INLINE bool state_says(unsigned state)
{
	return state & TAKEN_WEAKLY;
}

/* The entry is new: not useful yet, and its counter as weak as at the start. */
ALWAYS_INLINE bool is_new(unsigned state)
{
	return state - (TAKEN_WEAKLY - 1) <= 1;
}

/* The number of tables, and the word of history in which that of each table ends: constants at each
 * call, so this is compiled for each core. */
struct look_back {
	unsigned n;
	uint8_t words[GEOMETRY_TABLES];
};

ALWAYS_INLINE void look_up(const struct micro_predictor *p, uint64_t ip, struct direction *d,
			   struct look_back back)
{
	uint64_t past[MICRO_HISTORY_WORDS];
	uint32_t found = 0;

	/* The branch's address, and the words of history before each word. */
	past[0] = ip * IP_FACTOR;
	for (unsigned i = 1; i < MICRO_HISTORY_WORDS; i++)
		past[i] = past[i - 1] ^ p->history[i - 1] * factors[i];
#pragma GCC unroll 8
	for (unsigned i = 0; i < back.n; i++) {
		const unsigned word = back.words[i];
		const uint64_t hash =
			mixed(past[word] ^ (p->history[word] & p->part[i]), factors[0] + 2 * i);

		d->tag[i] = tag_of(hash);
		d->entry[i] = p->table[i] + index_of(hash, p->table_bits);
		found |= (uint32_t)(*d->entry[i] >> TAG_SHIFT == d->tag[i]) << i;
	}
	d->found = found;
}

ALWAYS_INLINE void train_base(uint16_t *base, bool taken)
{
	const unsigned counter = *base & BASE_COUNTER;

	*base = (uint16_t)(*base + (taken & (counter < BASE_COUNTER)) - (!taken & (counter > 0)));
}

/* The trained state of an entry. Its counter moves towards the outcome. If the alternative
 * prediction `differs`, the entry was useful, or not. */
static uint8_t trained(unsigned state, bool taken, bool differs)
{
	unsigned counter = state & COUNTER_MAX, useful = useful_of((uint16_t)state);

	if (differs && state_says(state) == taken)
		useful += useful < USEFUL_MAX;
	else if (differs)
		useful -= useful > 0;
	if (taken)
		counter += counter < COUNTER_MAX;
	else
		counter -= counter > 0;
	return (uint8_t)(useful << USEFUL_SHIFT | counter);
}

ALWAYS_INLINE void train_entry(const struct micro_predictor *p, uint16_t *entry, bool taken,
			       bool differs)
{
	*entry = (uint16_t)((*entry & ~STATE_MAX) | p->trained[differs][taken][*entry & STATE_MAX]);
}

static void train_trust(struct micro_predictor *p, bool new_is_right)
{
	if (new_is_right)
		p->trust_new += p->trust_new < TRUST_MAX;
	else
		p->trust_new -= p->trust_new > -TRUST_MAX;
}

/* Returns the prediction; every matching entry learns whether the branch was `taken`. */
ALWAYS_INLINE bool predict_and_train(struct micro_predictor *p, const struct direction *d,
				     bool taken)
{
	const unsigned provider = bits_last(d->found);
	const uint32_t rest = d->found ^ 1u << provider;
	uint16_t *entry = d->entry[provider], *other = rest ? d->entry[bits_last(rest)] : NULL;
	const unsigned state = *entry & STATE_MAX;
	const bool says = state_says(state),
		   other_says = other ? state_says(*other) : base_says(*d->base);
	bool predicted = says;

	if (is_new(state) && says != other_says) {
		predicted = p->trust_new < 0 ? other_says : says;
		train_trust(p, says == taken);
	}
	if (!useful_of((uint16_t)state)) {
		if (other)
			train_entry(p, other, taken, false);
		else
			train_base(d->base, taken);
	}
	train_entry(p, entry, taken, says != other_says);
	return predicted;
}

static void age_all(struct micro_predictor *p)
{
	for (unsigned t = 0; t < p->tables; t++)
		for (uint32_t i = 0; i < 1u << p->table_bits; i++)
			set_useful(&p->table[t][i], useful_of(p->table[t][i]) / 2);
	p->failures = 0;
}

/*
 * After a misprediction allocates an entry in a table that looks back further, in place of a
 * useless one. Every other time it skips one more table, so that two branches do not evict each
 * other for ever.
 */
static NOINLINE void allocate(struct micro_predictor *p, const struct direction *d, bool taken)
{
	const unsigned next = d->found ? bits_last(d->found) + 1u : 0;
	unsigned first = next;

	p->further = !p->further;
	if (p->further && first + 1 < p->tables)
		first++;
	for (unsigned i = first; i < p->tables; i++)
		if (!useful_of(*d->entry[i])) {
			*d->entry[i] = (uint16_t)(d->tag[i] << TAG_SHIFT |
						  (taken ? TAKEN_WEAKLY : TAKEN_WEAKLY - 1));
			p->failures -= p->failures > 0;
			return;
		}
	for (unsigned i = next; i < p->tables; i++)
		if (useful_of(*d->entry[i]))
			set_useful(d->entry[i], useful_of(*d->entry[i]) - 1);
	if (next < p->tables && ++p->failures == FAILURES_MAX)
		age_all(p);
}

ALWAYS_INLINE bool misses_with(struct micro_predictor *p, uint64_t ip, uint16_t *base, bool taken,
			       struct look_back back)
{
	struct direction d;
	bool predicted;

	d.base = base;
	look_up(p, ip, &d, back);
	if (d.found) {
		predicted = predict_and_train(p, &d, taken);
	} else {
		predicted = base_says(*base);
		train_base(base, taken);
	}
	if (predicted != taken)
		allocate(p, &d, taken);
	return predicted != taken;
}

/* The cores' tables: TABLES(name, number, words). */
#define SHAPES(TABLES)                       \
	TABLES(misses_4_near, 4, 0, 0, 0, 0) \
	TABLES(misses_4, 4, 0, 0, 0, 1)      \
	TABLES(misses_5, 5, 0, 0, 0, 1, 3)   \
	TABLES(misses_6, 6, 0, 0, 0, 1, 1, 3)

#define MISSES(name, number, ...)                                                                  \
	static bool name(struct micro_predictor *p, uint64_t ip, uint16_t *base, bool taken)       \
	{                                                                                          \
		return misses_with(p, ip, base, taken, (struct look_back){number, {__VA_ARGS__}}); \
	}
SHAPES(MISSES)

#define ROW(name, number, ...) {{number, {__VA_ARGS__}}, name},
static const struct {
	struct look_back back;
	micro_misses_fn *misses;
} shapes[] = {SHAPES(ROW)};

static micro_misses_fn *misses_of(const struct micro_predictor *p)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		if (shapes[i].back.n == p->tables &&
		    !memcmp(shapes[i].back.words, p->words, p->tables))
			return shapes[i].misses;
	return NULL;
}

ALWAYS_INLINE bool misses_base(uint16_t *base, bool taken)
{
	const bool missed = base_says(*base) != taken;

	train_base(base, taken);
	return missed;
}

/* The branch has repeated its direction for so long that no table sees its last change. */
ALWAYS_INLINE bool goes_on(uint16_t *base, unsigned longest, bool taken)
{
	const unsigned streak = *base >> BASE_STREAK_SHIFT;
	const bool long_since = streak == longest, goes = !!(*base & BASE_LAST) == taken;

	*base = (uint16_t)((*base & BASE_KEPT) | (taken ? BASE_LAST : 0) |
			   (-(unsigned)goes & (streak + !long_since)) << BASE_STREAK_SHIFT);
	return long_since;
}

bool micro_misses_direction(struct micro_predictor *p, uint64_t ip, uint16_t *base, bool taken)
{
	const bool both_ways = *base & BASE_WENT(!taken), known = goes_on(base, p->longest, taken);

	*base |= BASE_WENT(taken);
	if (!both_ways || known)
		return misses_base(base, taken);
	return p->misses(p, ip, base, taken);
}

unsigned micro_history_bits(const struct micro_predictor *p)
{
	return p->words_used * WORD_BITS;
}

bool micro_goes_on(const struct micro_predictor *p, uint64_t ip)
{
	uint64_t all = p->path;

	for (unsigned i = 0; i < p->words_used; i++)
		all &= p->history[i];
	return all == UINT64_MAX && micro_is_steady(p, *micro_base_of(p, ip), true);
}

/* --- Indirect targets --- */

static const uint8_t target_length[MICRO_TARGET_TABLES] = {16, 64}; /* bits of the path */

static uint64_t path_hash(const struct micro_predictor *p, uint64_t ip, unsigned length)
{
	return mixed(ip * IP_FACTOR ^ (p->path & bits_low(length)), factors[1]);
}

static void train_target(struct micro_target *t, uint64_t to)
{
	if (t->to == to)
		t->sure += t->sure < SURE_MAX;
	else if (t->sure)
		t->sure--;
	else
		t->to = to;
}

static void allocate_target(struct micro_target *const *t, const uint16_t *tags, int provider,
			    uint64_t to)
{
	for (int i = provider + 1; i < MICRO_TARGET_TABLES; i++) {
		if (t[i]->useful)
			t[i]->useful--;
		else
			*t[i] = (struct micro_target){.to = to, .tag = tags[i]};
	}
}

static bool misses_target(struct micro_predictor *p, uint64_t ip, uint64_t to)
{
	struct micro_target *t[MICRO_TARGET_TABLES], *base, *provider, *other;
	uint16_t tags[MICRO_TARGET_TABLES];
	int found = NONE;
	bool missed;

	base = provider = other =
		&p->last_target[(ip ^ ip >> p->target_bits) & bits_low(p->target_bits)];
	for (int i = 0; i < MICRO_TARGET_TABLES; i++) {
		const uint64_t hash = path_hash(p, ip, target_length[i]);

		t[i] = &p->target[i][index_of(hash, p->target_bits)];
		tags[i] = tag_of(hash);
		if (t[i]->tag == tags[i]) {
			other = provider;
			provider = t[i];
			found = i;
		}
	}
	missed = provider->to != to;
	if (provider != base && other->to != provider->to)
		provider->useful = (uint8_t)(missed ? 0 : 1);
	train_target(provider, to);
	base->to = to;
	if (missed)
		allocate_target(t, tags, found, to);
	push_target(p, to);
	return missed;
}

/* --- Returns --- */

static void push_return(struct micro_predictor *p, uint64_t next)
{
	p->returns[p->top] = next;
	p->top = p->top + 1 < p->nreturns ? p->top + 1 : 0;
}

static bool misses_return(struct micro_predictor *p, uint64_t to)
{
	p->top = (p->top ? p->top : p->nreturns) - 1u;
	return p->returns[p->top] != to;
}

/* --- All --- */

/* True: a branch that is not conditional was mispredicted. */
static bool misses_jump(struct micro *m, enum micro_branch kind, uint64_t ip, uint64_t to)
{
	enum events_count event;
	bool missed;

	if (kind == MICRO_RETURN) {
		missed = misses_return(&m->predictor, to);
		event = EVENTS_MISPREDICTED_RETURNS;
	} else if (kind == MICRO_JUMP_INDIRECT || kind == MICRO_CALL_INDIRECT) {
		missed = misses_target(&m->predictor, ip, to);
		event = EVENTS_MISPREDICTED_INDIRECT;
	} else {
		return false;
	}
	m->counts[event] += missed;
	m->counts[EVENTS_MISPREDICTED] += missed;
	return missed;
}

bool micro_jump(struct micro *m, enum micro_branch kind, uint64_t ip, uint64_t to, uint64_t next)
{
	const bool missed = misses_jump(m, kind, ip, to);

	m->run_end = 0;
	if (kind == MICRO_CALL || kind == MICRO_CALL_INDIRECT)
		push_return(&m->predictor, next);
	return missed;
}

/* --- Setting up --- */

static size_t table_bytes(const struct geometry_branches *g)
{
	return sizeof(uint16_t) << g->table_bits;
}

static size_t target_bytes(const struct geometry_branches *g)
{
	return sizeof(struct micro_target) << g->target_bits;
}

size_t micro_predictor_bytes(const struct geometry_branches *g)
{
	return (sizeof(uint16_t) << g->base_bits) + g->tables * table_bytes(g) +
	       (1 + MICRO_TARGET_TABLES) * target_bytes(g);
}

void micro_predictor_init(struct micro_predictor *p, const struct geometry_branches *g,
			  void *memory)
{
	uint8_t *at = memory;

	*p = (struct micro_predictor){
		.tables = g->tables,
		.table_bits = g->table_bits,
		.base_bits = g->base_bits,
		.base_mask = (1u << g->base_bits) - 1,
		.target_bits = g->target_bits,
		.nreturns = g->returns,
	};
	for (unsigned i = 0; i < g->tables; i++) {
		p->words[i] = g->history[i] / WORD_BITS;
		p->part[i] = bits_low(g->history[i] % WORD_BITS);
		p->most_words = (uint8_t)(p->words[i] + 1);
		p->longest = g->history[i];
	}
	p->words_used = p->tables == 4 && p->most_words == 2 ? 2 : MICRO_HISTORY_WORDS;
	for (unsigned taken = 0; taken < 2; taken++)
		p->steady[taken] = (uint16_t)(p->longest << BASE_STREAK_SHIFT | MICRO_BASE_WENT |
					      (taken ? BASE_LAST | BASE_COUNTER : 0));
	p->misses = misses_of(p);
	p->last_target = (void *)at;
	at += target_bytes(g);
	for (unsigned i = 0; i < MICRO_TARGET_TABLES; i++, at += target_bytes(g))
		p->target[i] = (void *)at;
	for (unsigned i = 0; i < g->tables; i++, at += table_bytes(g))
		p->table[i] = (void *)at;
	p->base = (void *)at;
	for (unsigned state = 0; state <= STATE_MAX; state++)
		for (unsigned i = 0; i < 4; i++)
			p->trained[i / 2][i % 2][state] = trained(state, i % 2, i / 2);
	micro_predictor_reset(p);
}

void micro_predictor_reset(struct micro_predictor *p)
{
	const size_t entries = (size_t)1 << p->table_bits, targets = (size_t)1 << p->target_bits;

	for (uint32_t i = 0; i < 1u << p->base_bits; i++)
		p->base[i] = BASE_EMPTY;
	for (unsigned i = 0; i < p->tables; i++)
		memset(p->table[i], 0, entries * sizeof(*p->table[i]));
	for (unsigned i = 0; i < MICRO_TARGET_TABLES; i++)
		memset(p->target[i], 0, targets * sizeof(*p->target[i]));
	memset(p->last_target, 0, targets * sizeof(*p->last_target));
	memset(p->history, 0, sizeof(p->history));
	memset(p->returns, 0, sizeof(p->returns));
	p->top = 0;
	p->path = 0;
	p->further = false;
	p->trust_new = 0;
	p->failures = 0;
}
