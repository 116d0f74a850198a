// SPDX-License-Identifier: BSD-2-Clause
/*
 * terms.c - see terms.h. The fields are those of IA32_PERFEVTSELx (SDM vol. 3, "IA32_PERFEVTSELx
 * MSRs"; AMD APM vol. 2, "Core Performance Event-Select Registers"), under the names that perf has
 * for them, and the registers that some events need beside it.
 */
#include "pmu/terms.h"

#include "arch/x86/msr.h"

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

#define CMASK_SHIFT        24
#define UMASK_SHIFT        8
#define AMD_EVENT_HI_SHIFT 24 /* from bits 11:8 of the event to bits 35:32 of the select */
#define EVTSEL_IN_TX       (1ull << 32)
#define EVTSEL_IN_TX_CP    (1ull << 33)
#define MAX_PERIOD         INT64_MAX

/* What a term says, and what may not stand beside it. */
enum term_kind {
	EVENT,    /* the event's code */
	FIELD,    /* a number in the event select */
	FLAG,     /* bits in it */
	CONFIG,   /* all of it */
	REGISTER, /* attr.config1, by whatever name */
	CONFIG2,
	PERIOD,
	FREQ,
	NAME,
	ALIAS, /* a generic event */
};

#define KIND(kind)  (1u << (kind))
#define SETTINGS    (KIND(PERIOD) | KIND(FREQ) | KIND(NAME))
#define FIELD_KINDS (KIND(EVENT) | KIND(FIELD) | KIND(FLAG))

/* The place of a row is the bit of the term in `seen`. */
static const struct term {
	const char *name;
	enum term_kind kind;
	uint64_t min, max;
	uint64_t flag;
	unsigned shift;
} terms[] = {
	{"event", EVENT, 0, 0xfff, 0, 0},
	{"umask", FIELD, 0, 0xff, 0, UMASK_SHIFT},
	{"cmask", FIELD, 0, 0xff, 0, CMASK_SHIFT},
	{"inv", FLAG, 0, 1, EVTSEL_INV, 0},
	{"edge", FLAG, 0, 1, EVTSEL_EDGE, 0},
	{"any", FLAG, 0, 1, EVTSEL_ANY, 0},
	{"pc", FLAG, 0, 1, EVTSEL_PC, 0},
	{"in_tx", FLAG, 0, 1, EVTSEL_IN_TX, 0},
	{"in_tx_cp", FLAG, 0, 1, EVTSEL_IN_TX_CP, 0},
	{"config", CONFIG, 0, UINT64_MAX, 0, 0},
	{"config1", REGISTER, 0, UINT64_MAX, 0, 0},
	{"offcore_rsp", REGISTER, 0, UINT64_MAX, 0, 0},
	{"ldlat", REGISTER, 0, 0xffff, 0, 0},
	{"frontend", REGISTER, 0, 0xffffff, 0, 0},
	{"config2", CONFIG2, 0, UINT64_MAX, 0, 0},
	{"period", PERIOD, 1, MAX_PERIOD, 0, 0},
	{"freq", FREQ, 1, MAX_PERIOD, 0, 0},
	{"name", NAME, 0, 0, 0, 0},
};

struct reading {
	unsigned seen;  /* terms, by row */
	unsigned kinds; /* of them */
	struct word *name;
};

static uint64_t event_bits(uint64_t event)
{
	return (event & EVTSEL_EVENT) | (event & 0xf00) << AMD_EVENT_HI_SHIFT;
}

static void set_term(const struct term *term, uint64_t value, struct perf_event_attr *attr)
{
	switch (term->kind) {
	case EVENT:
		attr->config |= event_bits(value);
		break;
	case FIELD:
	case CONFIG:
		attr->config |= value << term->shift;
		break;
	case FLAG:
		attr->config |= value ? term->flag : 0;
		break;
	case REGISTER:
		attr->config1 = value;
		break;
	case CONFIG2:
		attr->config2 = value;
		break;
	case FREQ:
		attr->freq = 1;
		attr->sample_freq = value;
		break;
	case PERIOD:
		attr->sample_period = value;
		break;
	case NAME:
	case ALIAS:
		break;
	}
}

static bool parse_name(struct scan *s, struct word *name)
{
	*name = scan_word(s);
	if (!name->n)
		return scan_fail(s, s->at, "a name is missing after 'name='");
	return true;
}

static bool parse_value(struct scan *s, const struct term *term, struct perf_event_attr *attr,
			struct word *name)
{
	uint64_t value = 1;

	if (!scan_take(s, '=')) {
		if (term->kind != FLAG)
			return scan_fail(s, s->at, "'=' is missing after '%s'", term->name);
		set_term(term, value, attr);
		return true;
	}
	if (term->kind == NAME)
		return parse_name(s, name);
	if (!scan_number(s, term->name, term->min, term->max, &value))
		return false;
	set_term(term, value, attr);
	return true;
}

static bool parse_alias(struct scan *s, const struct word *word, struct perf_event_attr *attr)
{
	uint32_t type;
	uint64_t config;

	if (!pmu_event_name_find(word->start, word->n, &type, &config) ||
	    type != PERF_TYPE_HARDWARE)
		return scan_fail(s, word->start, "there is no term '%.*s' of PMU cpu", (int)word->n,
				 word->start);
	attr->type = type;
	attr->config = config;
	return true;
}

static bool parse_raw(struct scan *s, const struct word *word, struct perf_event_attr *attr)
{
	uint64_t config;

	if (!scan_raw(s, word, &config))
		return false;
	attr->config = config;
	return true;
}

static bool check_combination(struct scan *s, const char *where, unsigned kinds)
{
	static const struct {
		unsigned one, other;
		const char *sentence;
	} rows[] = {
		{KIND(CONFIG), FIELD_KINDS, "config= says it all: no other fields beside it"},
		{KIND(ALIAS), KIND(CONFIG) | FIELD_KINDS,
		 "a named event takes no other fields beside it"},
		{KIND(PERIOD), KIND(FREQ), "either period= or freq=, not both"},
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		if (kinds & rows[i].one && kinds & rows[i].other)
			return scan_fail(s, where, "%s", rows[i].sentence);
	return true;
}

/* The row, or LENGTH(terms): it has to be an alias or rNNN then. */
static size_t find_term(const struct word *word)
{
	size_t i = 0;

	while (i < LENGTH(terms) && !word_is(word, terms[i].name))
		i++;
	return i;
}

/* A second alias, field or register of its kind would only undo the first. */
static bool is_repeated(const struct reading *r, size_t i, enum term_kind kind)
{
	return r->seen & 1u << i || (r->kinds & KIND(kind) && (kind == REGISTER || kind == CONFIG));
}

static bool parse_term(struct scan *s, struct reading *r, struct perf_event_attr *attr)
{
	struct word word = scan_word(s);
	size_t i = find_term(&word);
	bool raw = i == LENGTH(terms) && word_is_raw(&word);
	enum term_kind kind = raw ? CONFIG : i < LENGTH(terms) ? terms[i].kind : ALIAS;

	if (!word.n)
		return scan_fail(s, s->at, "a term is missing");
	if (kind == ALIAS && !parse_alias(s, &word, attr))
		return false;
	if (is_repeated(r, i, kind))
		return scan_fail(s, word.start, "'%.*s' is one term too many", (int)word.n,
				 word.start);
	r->seen |= 1u << i;
	r->kinds |= KIND(kind);
	if (!check_combination(s, word.start, r->kinds))
		return false;
	if (raw)
		return parse_raw(s, &word, attr);
	return kind == ALIAS || parse_value(s, &terms[i], attr, r->name);
}
_Static_assert(LENGTH(terms) < 32, "a bit for each term, and one for what is none");

static bool parse_list(struct scan *s, struct reading *r, struct perf_event_attr *attr)
{
	do {
		if (!parse_term(s, r, attr))
			return false;
	} while (scan_take(s, ','));
	if (!scan_take(s, '/'))
		return scan_fail(s, s->at, "',' or '/' is missing after a term");
	return true;
}

bool terms_parse(struct scan *s, struct perf_event_attr *attr, struct word *name)
{
	struct reading r = {.name = name};

	attr->type = PERF_TYPE_RAW;
	if (!parse_list(s, &r, attr))
		return false;
	if (!(r.kinds & (KIND(ALIAS) | KIND(CONFIG) | FIELD_KINDS)))
		return scan_fail(s, s->at - 1, "no event is named here");
	return true;
}

bool terms_parse_settings(struct scan *s, struct perf_event_attr *attr, struct word *name)
{
	/* As if the event had come first: nothing but settings may follow it. */
	struct reading r = {.kinds = KIND(ALIAS), .seen = 1u << LENGTH(terms), .name = name};
	const char *start = s->at;

	if (scan_take(s, '/'))
		return true;
	if (!parse_list(s, &r, attr))
		return false;
	if (r.kinds & ~(SETTINGS | KIND(ALIAS)))
		return scan_fail(s, start, "an event by name takes name=, period= and freq= only");
	return true;
}
