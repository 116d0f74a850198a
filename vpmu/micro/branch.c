// SPDX-License-Identifier: BSD-2-Clause
/*
 * branch.c - which branches are mispredicted. Directions: TAGE (A. Seznec, P. Michaud, "A case for
 * (partially) tagged geometric history length branch prediction", 2006): counters without history,
 * and tables of tagged counters that look back further and further; the one that looks back the
 * furthest and has a match predicts. Indirect targets: the same idea (ITTAGE) over the last target.
 * Returns: a stack.
 *
 * History: a bit for each conditional branch, two of the target for each indirect one. The path,
 * for targets: the same with four. Tables are indexed by a product with odd constants, from whose
 * upper bits index and tag come. Nothing is random. Targets of direct branches are always known.
 */
#include "vpmu/micro/micro_priv.h"

#include "lib/bits.h"
#include "lib/string.h"

#define WORD_BITS 64
#define NONE      (-1)

/* A tagged counter: 11 bits of tag, 2 of usefulness, 3 of direction. A tag is never 0. */
#define COUNTER_BITS 3
#define USEFUL_BITS  2
#define USEFUL_SHIFT COUNTER_BITS
#define TAG_SHIFT    (COUNTER_BITS + USEFUL_BITS)
#define TAG_BITS     11
#define COUNTER_MAX  ((1u << COUNTER_BITS) - 1)
#define USEFUL_MAX   ((1u << USEFUL_BITS) - 1)
#define TAKEN_WEAKLY (1u << (COUNTER_BITS - 1))

/*
 * The base: a counter (0 and 1: not taken), and the directions in which branches of that entry have
 * gone. While that is one, it is what is predicted, and no table is asked.
 */
#define BASE_COUNTER     3
#define BASE_EMPTY       1
#define BASE_WENT(taken) ((taken) ? 8 : 4)

#define TRUST_MAX    7
#define FAILURES_MAX 255

#define SURE_MAX 3

static const uint64_t factors[MICRO_HISTORY_WORDS] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f,
						      0xd6e8feb86659fd93, 0xa0761d6478bd642f};
#define IP_FACTOR 0xbf58476d1ce4e5b9

/* --- Hashes --- */

/* History, as products of its words: of none, the first, the first two... */
struct past {
	uint64_t of_words[MICRO_HISTORY_WORDS];
	uint64_t ip;
};

static struct past past_of(const struct micro_predictor *p, uint64_t ip)
{
	struct past past;

	past.ip = ip * IP_FACTOR;
	past.of_words[0] = 0;
	for (unsigned i = 1; i <= p->most_words; i++)
		past.of_words[i] = past.of_words[i - 1] ^ p->history[i - 1] * factors[i - 1];
	return past;
}

/* The last bits of history, `words` of 64 and those of `part`, with the branch's address. */
static uint64_t hash_of(const struct micro_predictor *p, const struct past *past, unsigned words,
			uint64_t part)
{
	const uint64_t hash =
		past->ip ^ past->of_words[words] ^ (p->history[words] & part) * factors[words];

	return (hash ^ hash >> 29) * IP_FACTOR;
}

static uint32_t index_of(uint64_t hash, unsigned table_bits)
{
	return (uint32_t)(hash >> (WORD_BITS - table_bits));
}

static uint16_t tag_of(uint64_t hash)
{
	const uint16_t tag = hash >> 24 & bits_low(TAG_BITS);

	return tag ? tag : 1;
}

static void push_history(struct micro_predictor *p, unsigned bits, uint64_t value)
{
	for (unsigned i = p->most_words; i > 0; i--)
		p->history[i] = p->history[i] << bits | p->history[i - 1] >> (WORD_BITS - bits);
	p->history[0] = p->history[0] << bits | value;
}

static void push_direction(struct micro_predictor *p, bool taken)
{
	push_history(p, 1, taken);
	p->path = p->path << 1 | taken;
}

static void push_target(struct micro_predictor *p, uint64_t to)
{
	const uint64_t product = to * IP_FACTOR, hash = (product ^ product >> 29) * factors[0];

	push_history(p, 2, hash >> (WORD_BITS - 2));
	p->path = p->path << 4 | hash >> (WORD_BITS - 4);
}

/* --- Directions --- */

/* What the tables say about one branch. */
struct direction {
	uint16_t *entry[GEOMETRY_TABLES];
	uint16_t tag[GEOMETRY_TABLES];
	uint8_t *base;
	int provider, other; /* table, or NONE: the base */
	bool says, other_says, predicted;
	bool is_new; /* the provider's entry has not proved itself */
};

static unsigned counter_of(uint16_t entry)
{
	return entry & COUNTER_MAX;
}

static unsigned useful_of(uint16_t entry)
{
	return entry >> USEFUL_SHIFT & USEFUL_MAX;
}

static void set_useful(uint16_t *entry, unsigned useful)
{
	*entry = (uint16_t)((*entry & ~(USEFUL_MAX << USEFUL_SHIFT)) | useful << USEFUL_SHIFT);
}

static bool base_says(uint8_t base)
{
	return (base & BASE_COUNTER) > BASE_EMPTY;
}

static bool table_says(const struct direction *d, int table)
{
	return table == NONE ? base_says(*d->base) : counter_of(*d->entry[table]) >= TAKEN_WEAKLY;
}

/* The tables that know the branch, as bits. */
static uint32_t matches(const struct micro_predictor *p, uint64_t ip, struct direction *d)
{
	const struct past past = past_of(p, ip);
	uint32_t found = 0;

	for (unsigned i = 0; i < p->tables; i++) {
		const uint64_t hash = hash_of(p, &past, p->words[i], p->part[i]);

		d->entry[i] = &p->table[i][index_of(hash, p->table_bits)];
		d->tag[i] = tag_of(hash);
		found |= (uint32_t)(*d->entry[i] >> TAG_SHIFT == d->tag[i]) << i;
	}
	return found;
}

static bool is_weak(uint16_t entry)
{
	return counter_of(entry) == TAKEN_WEAKLY || counter_of(entry) == TAKEN_WEAKLY - 1;
}

static void look_up(const struct micro_predictor *p, uint64_t ip, struct direction *d)
{
	uint32_t found = matches(p, ip, d);

	d->provider = d->other = NONE;
	d->is_new = d->other_says = false;
	if (found) {
		d->provider = (int)bits_last(found);
		found &= ~(1u << d->provider);
		d->other = found ? (int)bits_last(found) : NONE;
		d->other_says = table_says(d, d->other);
		d->is_new = !useful_of(*d->entry[d->provider]) && is_weak(*d->entry[d->provider]);
	}
	d->says = table_says(d, d->provider);
	d->predicted = d->is_new && p->trust_new < 0 ? d->other_says : d->says;
}

static void train_base(uint8_t *base, bool taken)
{
	const uint8_t counter = *base & BASE_COUNTER;

	if (taken)
		*base += counter < BASE_COUNTER;
	else
		*base -= counter > 0;
}

static void train_counter(uint16_t *entry, bool taken)
{
	if (taken)
		*entry += counter_of(*entry) < COUNTER_MAX;
	else
		*entry -= counter_of(*entry) > 0;
}

static void train_table(const struct direction *d, int table, bool taken)
{
	if (table == NONE)
		train_base(d->base, taken);
	else
		train_counter(d->entry[table], taken);
}

static void train_usefulness(const struct direction *d, bool taken)
{
	uint16_t *entry = d->entry[d->provider];
	const unsigned useful = useful_of(*entry);

	if (d->says == taken && useful < USEFUL_MAX)
		set_useful(entry, useful + 1);
	else if (d->says != taken && useful)
		set_useful(entry, useful - 1);
}

static void train(struct micro_predictor *p, const struct direction *d, bool taken)
{
	if (d->provider == NONE) {
		train_base(d->base, taken);
		return;
	}
	if (d->is_new && d->says != d->other_says) {
		if (d->says == taken)
			p->trust_new += p->trust_new < TRUST_MAX;
		else
			p->trust_new -= p->trust_new > -TRUST_MAX;
	}
	if (!useful_of(*d->entry[d->provider]))
		train_table(d, d->other, taken);
	train_counter(d->entry[d->provider], taken);
	if (d->says != d->other_says)
		train_usefulness(d, taken);
}

static void age_all(struct micro_predictor *p)
{
	for (unsigned t = 0; t < p->tables; t++)
		for (uint32_t i = 0; i < 1u << p->table_bits; i++)
			set_useful(&p->table[t][i], useful_of(p->table[t][i]) / 2);
	p->failures = 0;
}

/*
 * A misprediction: an entry that looks back further, in place of one that was of no use. Every
 * other time it looks back further still, so that two branches do not throw each other out for
 * ever.
 */
static void allocate(struct micro_predictor *p, const struct direction *d, bool taken)
{
	int first = d->provider + 1;

	p->further = !p->further;
	if (p->further && first + 1 < p->tables)
		first++;
	for (int i = first; i < p->tables; i++)
		if (!useful_of(*d->entry[i])) {
			*d->entry[i] = (uint16_t)(d->tag[i] << TAG_SHIFT |
						  (taken ? TAKEN_WEAKLY : TAKEN_WEAKLY - 1));
			p->failures -= p->failures > 0;
			return;
		}
	for (int i = d->provider + 1; i < p->tables; i++)
		set_useful(d->entry[i], useful_of(*d->entry[i]) - 1);
	if (d->provider + 1 < p->tables && ++p->failures == FAILURES_MAX)
		age_all(p);
}

/* A branch that goes one way only, as far as the base knows. */
static bool misses_one_way(struct micro_predictor *p, uint8_t *base, bool taken)
{
	const bool missed = base_says(*base) != taken;

	train_base(base, taken);
	*base |= BASE_WENT(taken);
	push_direction(p, taken);
	return missed;
}

static bool misses_direction(struct micro_predictor *p, uint64_t ip, bool taken)
{
	struct direction d;
	uint8_t *base = &p->base[(ip ^ ip >> p->base_bits) & bits_low(p->base_bits)];

	if (!(*base & BASE_WENT(!taken)))
		return misses_one_way(p, base, taken);
	*base |= BASE_WENT(taken);
	d.base = base;
	look_up(p, ip, &d);
	train(p, &d, taken);
	if (d.predicted != taken)
		allocate(p, &d, taken);
	push_direction(p, taken);
	return d.predicted != taken;
}

/* --- Indirect targets --- */

static const uint8_t target_length[MICRO_TARGET_TABLES] = {16, 64}; /* bits of the path */

static uint64_t path_hash(const struct micro_predictor *p, uint64_t ip, unsigned length)
{
	const uint64_t hash = ip * IP_FACTOR ^ (p->path & bits_low(length)) * factors[0];

	return (hash ^ hash >> 29) * IP_FACTOR;
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

static bool misses(struct micro *m, enum micro_branch kind, uint64_t ip, uint64_t to, bool taken)
{
	struct micro_predictor *p = &m->predictor;
	enum events_count event;
	bool missed;

	if (kind == MICRO_CONDITIONAL) {
		missed = misses_direction(p, ip, taken);
		event = EVENTS_MISPREDICTED_CONDITIONAL;
	} else if (kind == MICRO_RETURN) {
		missed = misses_return(p, to);
		event = EVENTS_MISPREDICTED_RETURNS;
	} else if (kind == MICRO_JUMP_INDIRECT || kind == MICRO_CALL_INDIRECT) {
		missed = misses_target(p, ip, to);
		event = EVENTS_MISPREDICTED_INDIRECT;
	} else {
		return false;
	}
	m->counts[event] += missed;
	return missed;
}

bool micro_branch(struct micro *m, enum micro_branch kind, uint64_t ip, uint64_t to, uint64_t next,
		  bool taken)
{
	const bool missed = misses(m, kind, ip, to, taken);

	m->run_uops = 0;
	m->run_end = 0;
	if (kind == MICRO_CALL || kind == MICRO_CALL_INDIRECT)
		push_return(&m->predictor, next);
	if (!missed)
		return false;
	m->counts[EVENTS_MISPREDICTED]++;
	if (m->timed) {
		micro_stall(m, m->geometry->mispredict_cycles, EVENTS_STALLS_BAD_SPECULATION);
		m->counts[EVENTS_WRONG_PATH] += m->geometry->mispredict_cycles * m->width;
	}
	return true;
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
	return ((size_t)1 << g->base_bits) + g->tables * table_bytes(g) +
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
		.target_bits = g->target_bits,
		.nreturns = g->returns,
	};
	for (unsigned i = 0; i < g->tables; i++) {
		p->words[i] = g->history[i] / WORD_BITS;
		p->part[i] = bits_low(g->history[i] % WORD_BITS);
		p->most_words = p->words[i];
	}
	p->last_target = (void *)at;
	at += target_bytes(g);
	for (unsigned i = 0; i < MICRO_TARGET_TABLES; i++, at += target_bytes(g))
		p->target[i] = (void *)at;
	for (unsigned i = 0; i < g->tables; i++, at += table_bytes(g))
		p->table[i] = (void *)at;
	p->base = at;
	micro_predictor_reset(p);
}

void micro_predictor_reset(struct micro_predictor *p)
{
	const size_t entries = (size_t)1 << p->table_bits, targets = (size_t)1 << p->target_bits;

	memset(p->base, BASE_EMPTY, (size_t)1 << p->base_bits);
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
