// SPDX-License-Identifier: BSD-2-Clause
/*
 * terms.c - see terms.h. The fields are those of IA32_PERFEVTSELx under perf's names (SDM vol. 3,
 * "IA32_PERFEVTSELx MSRs"; AMD APM vol. 2, "Core Performance Event-Select Registers"), and
 * registers that some events need beside it.
 */
#include "pmu/names/terms.h"

#include "arch/x86/msr.h"
#include "lib/string.h"
#include "pmu/names/base.h"

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

#define CMASK_SHIFT        24
#define UMASK_SHIFT        8
#define UMASK2_SHIFT       32 /* moves bits 15:8 of the umask to bits 47:40 of the select */
#define AMD_EVENT_HI_SHIFT 24 /* moves bits 11:8 of the event to bits 35:32 of the select */
#define MAX_PERIOD         INT64_MAX

/* The meaning of a term, which determines the terms it excludes. */
enum term_kind {
	EVENT,    /* the event's code */
	UMASK,    /* eight bits, and eight more from architectural perfmon 6 on */
	FIELD,    /* a number in the event select */
	FLAG,     /* single bits of the event select */
	CONFIG,   /* the whole event select */
	REGISTER, /* attr.config1, under any name */
	CONFIG2,
	PERIOD,
	FREQ,
	NAME,
	INHERIT,
	NOT_HERE, /* a term of perf that perf0 lacks */
	ALIAS,    /* the name of an event */
};

#define KIND(kind)  (1u << (kind))
#define FIELD_KINDS (KIND(EVENT) | KIND(UMASK) | KIND(FIELD) | KIND(FLAG))
#define SETTINGS \
	(KIND(REGISTER) | KIND(CONFIG2) | KIND(PERIOD) | KIND(FREQ) | KIND(NAME) | KIND(INHERIT))

/* The index of a row is the bit of the term in `seen`. */
static const struct term {
	const char *name;
	enum term_kind kind;
	uint64_t min, max;
	uint64_t flag; /* FLAG: the bit; INHERIT: the value */
	unsigned shift;
	const char *refusal;
} terms[] = {
	{"event", EVENT, 0, 0xfff, 0, 0, NULL},
	{"umask", UMASK, 0, 0xffff, 0, 0, NULL},
	{"cmask", FIELD, 0, 0xff, 0, CMASK_SHIFT, NULL},
	{"inv", FLAG, 0, 1, EVTSEL_INV, 0, NULL},
	{"edge", FLAG, 0, 1, EVTSEL_EDGE, 0, NULL},
	{"eq", FLAG, 0, 1, EVTSEL_INTEL_EQ, 0, NULL},
	{"any", FLAG, 0, 1, EVTSEL_ANY, 0, NULL},
	{"pc", FLAG, 0, 1, EVTSEL_PC, 0, NULL},
	{"in_tx", FLAG, 0, 1, UARCH_IN_TX, 0, NULL},
	{"in_tx_cp", FLAG, 0, 1, UARCH_IN_TXCP, 0, NULL},
	{"config", CONFIG, 0, UINT64_MAX, 0, 0, NULL},
	{"config1", REGISTER, 0, UINT64_MAX, 0, 0, NULL},
	{"offcore_rsp", REGISTER, 0, UINT64_MAX, 0, 0, NULL},
	{"ldlat", REGISTER, 0, 0xffff, 0, 0, NULL},
	{"frontend", REGISTER, 0, 0xffffff, 0, 0, NULL},
	{"snoop_rsp", REGISTER, 0, UINT64_MAX, 0, 0, NULL},
	{"config2", CONFIG2, 0, UINT64_MAX, 0, 0, NULL},
	{"period", PERIOD, 1, MAX_PERIOD, 0, 0, NULL},
	{"freq", FREQ, 1, MAX_PERIOD, 0, 0, NULL},
	{"name", NAME, 0, 0, 0, 0, NULL},
	{"inherit", INHERIT, 0, 1, 1, 0, NULL},
	{"no-inherit", INHERIT, 0, 1, 0, 0, NULL},
#define ONE_FOR_ALL "is an option of the whole command here, not of one event"
	{"call-graph", NOT_HERE, 0, 0, 0, 0, ONE_FOR_ALL},
	{"stack-size", NOT_HERE, 0, 0, 0, 0, ONE_FOR_ALL},
	{"max-stack", NOT_HERE, 0, 0, 0, 0, ONE_FOR_ALL},
	{"time", NOT_HERE, 0, 0, 0, 0, ONE_FOR_ALL},
	{"overwrite", NOT_HERE, 0, 0, 0, 0, ONE_FOR_ALL},
	{"no-overwrite", NOT_HERE, 0, 0, 0, 0, ONE_FOR_ALL},
	{"percore", NOT_HERE, 0, 0, 0, 0, "would add up hyper-threads: each is counted by itself"},
	{"branch_type", NOT_HERE, 0, 0, 0, 0, "is not supported"},
};
_Static_assert(LENGTH(terms) < 32, "a bit for each term, and one for what is none");

struct reading {
	struct scan *s;
	struct perf_event_attr *attr;
	struct word *name;
	bool settings_only;
	const char *alias;
	unsigned seen;               /* terms, by row */
	unsigned kinds;              /* kinds of these terms */
	uint64_t fields, field_mask; /* fields of the event select */
};

static uint64_t event_bits(uint64_t event)
{
	return (event & EVTSEL_EVENT) | (event & 0xf00) << AMD_EVENT_HI_SHIFT;
}

static uint64_t umask_bits(uint64_t umask)
{
	return (umask & 0xff) << UMASK_SHIFT | (umask & 0xff00) << UMASK2_SHIFT;
}

/* The registers for which attr.config1 has a name of its own. */
static const struct {
	const char *name;
	unsigned reg; /* enum uarch_register */
} registers[] = {
	{"offcore_rsp", UARCH_OFFCORE_0},
	{"ldlat", UARCH_LOAD_LATENCY},
	{"frontend", UARCH_FRONTEND},
	{"snoop_rsp", UARCH_SNOOP_0},
};

static bool is_register(const struct term *term, unsigned *reg)
{
	for (size_t i = 0; i < LENGTH(registers); i++)
		if (!strcmp(registers[i].name, term->name)) {
			*reg = registers[i].reg;
			return true;
		}
	return false;
}

/* Returns false for a term that is no field. */
static bool describe_field(const struct term *term, struct terms_field *field)
{
	*field = (struct terms_field){.name = term->name};
	switch (term->kind) {
	case EVENT:
		field->mask = event_bits(term->max);
		return true;
	case UMASK:
		field->mask = umask_bits(term->max);
		return true;
	case FIELD:
		field->mask = term->max << term->shift;
		return true;
	case FLAG:
		field->mask = term->flag;
		return true;
	case REGISTER:
		field->beside = true;
		field->mask = term->max;
		return is_register(term, &field->reg);
	default:
		return false;
	}
}

bool terms_field(size_t i, struct terms_field *field)
{
	for (size_t row = 0; row < LENGTH(terms); row++)
		if (describe_field(&terms[row], field) && !i--)
			return true;
	return false;
}

static void set_field(struct reading *r, uint64_t mask, uint64_t value)
{
	r->field_mask |= mask;
	r->fields |= value;
}

static void set_term(struct reading *r, const struct term *term, uint64_t value)
{
	switch (term->kind) {
	case EVENT:
		set_field(r, event_bits(term->max), event_bits(value));
		break;
	case UMASK:
		set_field(r, umask_bits(term->max), umask_bits(value));
		break;
	case FIELD:
		set_field(r, term->max << term->shift, value << term->shift);
		break;
	case FLAG:
		set_field(r, term->flag, value ? term->flag : 0);
		break;
	case CONFIG:
		r->attr->config = value;
		break;
	case REGISTER:
		r->attr->config1 = value;
		break;
	case CONFIG2:
		r->attr->config2 = value;
		break;
	case FREQ:
		r->attr->freq = 1;
		r->attr->sample_freq = value;
		break;
	case PERIOD:
		r->attr->sample_period = value;
		break;
	case INHERIT:
		r->attr->inherit = value ? term->flag : !term->flag;
		break;
	case NAME:
	case NOT_HERE:
	case ALIAS:
		break;
	}
}

static bool is_of_name(char c, bool quoted)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr(quoted ? "_*?-,.[]:=/" : "_*?-.:", c));
}

/* Parses a word, or text in single quotes, as perf does. */
static bool parse_name(struct scan *s, struct word *name)
{
	bool quoted = scan_take(s, '\'');

	name->start = s->at;
	while (is_of_name(*s->at, quoted))
		s->at++;
	name->n = (size_t)(s->at - name->start);
	if (!name->n)
		return scan_fail(s, s->at, "a name is missing after 'name='");
	if (quoted && !scan_take(s, '\''))
		return *s->at ? scan_fail(s, s->at, "there is no '%c' in a name", *s->at)
			      : scan_fail(s, s->at, "a closing ' is missing");
	return true;
}

static bool parse_value(struct reading *r, const struct term *term)
{
	bool is_flag = term->kind == FLAG || term->kind == INHERIT;
	struct scan *s = r->s;
	uint64_t value = 1;

	if (!scan_take_past(s, '=')) {
		if (!is_flag)
			return scan_fail(s, s->at, "'=' is missing after '%s'", term->name);
		set_term(r, term, value);
		return true;
	}
	scan_blanks(s);
	if (term->kind == NAME)
		return parse_name(s, r->name);
	if (!scan_number(s, term->name, term->min, term->max, &value))
		return false;
	set_term(r, term, value);
	return true;
}

/* An explicit register value takes precedence, wherever it stands. */
static bool find_memory_term(struct reading *r, const struct word *word)
{
	const struct uarch *uarch = r->s->namer->uarch;
	const struct uarch_named *m = uarch ? uarch_named_find(uarch, word->start, word->n) : NULL;

	if (!m)
		return false;
	r->attr->config = m->select;
	if (!(r->kinds & KIND(REGISTER)))
		r->attr->config1 = m->config1;
	return true;
}

/* On a hybrid, cache events have a PMU, too. */
static bool is_hybrid(const struct scan *s)
{
	return s->namer->uarch && uarch_has_core(s->namer->uarch, 0);
}

/* Parses the name of an event between the slashes of its PMU. */
static bool parse_alias(struct reading *r, struct word *word)
{
	const struct word whole = *word;
	struct scan *s = r->s;
	uint32_t type;
	uint64_t config;
	int known;

	r->alias = word->start;
	if (pmu_event_name_find(word->start, word->n, &type, &config) &&
	    (type == PERF_TYPE_HARDWARE || (type == PERF_TYPE_HW_CACHE && is_hybrid(s)))) {
		r->attr->type = type;
		r->attr->config = config;
		return true;
	}
	if (!r->settings_only && find_memory_term(r, word))
		return true;
	known = r->settings_only ? 0 : base_find_foreign(s, word, r->attr);
	if (!known)
		return scan_fail(s, whole.start, "there is no term '%.*s' of PMU cpu", (int)whole.n,
				 whole.start);
	return known > 0;
}

static bool parse_raw(struct reading *r, const struct word *word)
{
	uint64_t config;

	if (!scan_raw(r->s, word, &config))
		return false;
	r->attr->config = config;
	return true;
}

static bool check_combination(struct reading *r, const char *where)
{
	static const struct {
		unsigned one, other;
		const char *sentence;
	} rows[] = {
		{KIND(CONFIG), FIELD_KINDS, "config= says it all: no other fields beside it"},
		{KIND(ALIAS), KIND(CONFIG), "a named event takes no config= beside it"},
		{KIND(PERIOD), KIND(FREQ), "either period= or freq=, not both"},
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		if (r->kinds & rows[i].one && r->kinds & rows[i].other)
			return scan_fail(r->s, where, "%s", rows[i].sentence);
	if (r->settings_only && r->kinds & ~(SETTINGS | KIND(ALIAS)))
		return scan_fail(r->s, where, "the fields of an event stand in cpu/.../ only");
	return true;
}

/* The row of the word, or LENGTH(terms): the word must then be an alias or rNNN. */
static size_t find_term(const struct word *word)
{
	size_t i = 0;

	while (i < LENGTH(terms) && !word_is(word, terms[i].name))
		i++;
	return i;
}

/* A second alias, field or register of its kind would override the first. */
static bool is_repeated(const struct reading *r, size_t i, enum term_kind kind)
{
	bool once = kind == REGISTER || kind == CONFIG || kind == INHERIT;

	return r->seen & 1u << i || (r->kinds & KIND(kind) && once);
}

static bool parse_raw_term(struct reading *r)
{
	struct scan *s = r->s;
	struct word word;
	enum term_kind kind;
	bool raw;
	size_t i;

	scan_blanks(s);
	word = scan_word(s);
	i = find_term(&word);
	raw = i == LENGTH(terms) && word_is_raw(&word);
	kind = raw ? CONFIG : i < LENGTH(terms) ? terms[i].kind : ALIAS;
	if (!word.n)
		return scan_fail(s, s->at, "a term is missing");
	if (kind == NOT_HERE)
		return scan_fail(s, word.start, "'%s' %s", terms[i].name, terms[i].refusal);
	if (kind == ALIAS && !parse_alias(r, &word))
		return false;
	if (is_repeated(r, i, kind))
		return scan_fail(s, word.start, "'%.*s' is one term too many", (int)word.n,
				 word.start);
	r->seen |= 1u << i;
	r->kinds |= KIND(kind);
	if (!check_combination(r, word.start))
		return false;
	if (raw)
		return parse_raw(r, &word);
	return kind == ALIAS || parse_value(r, &terms[i]);
}

static bool parse_terms(struct reading *r)
{
	do {
		if (!parse_raw_term(r))
			return false;
	} while (scan_take_past(r->s, ','));
	scan_blanks(r->s);
	if (!scan_take(r->s, '/'))
		return scan_fail(r->s, r->s->at, "',' or '/' is missing after a term");
	return true;
}

/* Fields beside the name of an event replace the event's own, so its event select must be known. */
static bool apply_fields(struct reading *r)
{
	struct perf_event_attr *attr = r->attr;
	const struct uarch *uarch = r->s->namer->uarch;

	if (!r->field_mask)
		return true;
	if (attr->type == PERF_TYPE_HARDWARE) {
		if (!uarch)
			return scan_fail(r->s, r->alias,
					 "a generic event takes no other fields beside it where "
					 "its event select is not known");
		attr->config = uarch_generic(uarch, attr->config);
		if (!attr->config)
			return scan_fail(r->s, r->alias, "%s has no such event", uarch->name);
		attr->type = PERF_TYPE_RAW;
	}
	attr->config = (attr->config & ~r->field_mask) | r->fields;
	return true;
}

bool terms_parse(struct scan *s, struct perf_event_attr *attr, struct word *name)
{
	struct reading r = {.s = s, .attr = attr, .name = name};

	attr->type = PERF_TYPE_RAW;
	if (!parse_terms(&r))
		return false;
	if (!(r.kinds & (KIND(ALIAS) | KIND(CONFIG) | FIELD_KINDS)))
		return scan_fail(s, s->at - 1, "no event is named here");
	return apply_fields(&r);
}

bool terms_parse_settings(struct scan *s, struct perf_event_attr *attr, struct word *name)
{
	/* The state after the event itself. */
	struct reading r = {.s = s,
			    .attr = attr,
			    .name = name,
			    .settings_only = true,
			    .kinds = KIND(ALIAS),
			    .seen = 1u << LENGTH(terms)};

	return scan_take(s, '/') || parse_terms(&r);
}
