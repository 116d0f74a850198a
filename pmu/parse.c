// SPDX-License-Identifier: BSD-2-Clause
/*
 * parse.c - the event parser; the grammar is in parse.h. One function for each rule, in the order
 * of the grammar from the bottom up.
 */
#include "pmu/parse.h"

#include "arch/x86/msr.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/scan.h"

#include <linux/errno.h>

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

#define CMASK_SHIFT        24
#define UMASK_SHIFT        8
#define AMD_EVENT_HI_SHIFT 24 /* from bits 11:8 of the event to bits 35:32 of the select */
#define MAX_PERIOD         INT64_MAX

struct parser {
	struct scan scan;
	struct pmu_event_spec *out;
	size_t n, max;
	bool full; /* failed for want of room */
	int groups;
};

/* --- Modifiers --- */

#define PRECISE_MAX 3

/* Letters in the order in which they were given, those of the group last. */
#define MODIFIERS_MAX 16
struct modifiers {
	char letters[MODIFIERS_MAX + 1];
	size_t n;
};

static const struct {
	char letter;
	uint8_t most;        /* times that it may be given */
	const char *refusal; /* NULL: it works */
} modifier_rows[] = {
	{'u', 1, NULL},
	{'k', 1, NULL},
	{'h', 1, NULL},
	{'G', 1, NULL},
	{'H', 1, NULL},
	{'p', PRECISE_MAX, NULL},
	{'D', 1, NULL},
	{'e', 1, NULL},
	{'P', 0, "modifier 'P' (most precise) is not supported: PEBS and IBS are not used"},
	{'S', 0, "modifier 'S' (read the group in samples) is not supported"},
	{'I', 0,
	 "modifier 'I' (exclude idle) is not supported: counters do not know the idle loop"},
	{'W', 0, "modifier 'W' (weak group) is not supported"},
	{'b', 0, "modifier 'b' (count by BPF) is not supported: there is no BPF"},
};

static unsigned times_given(const struct modifiers *m, char letter)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += m->letters[i] == letter;
	return n;
}

static unsigned most_times(char letter)
{
	size_t i = 0;

	while (modifier_rows[i].letter != letter)
		i++;
	return modifier_rows[i].most;
}

static bool check_modifier(struct scan *s, const struct modifiers *m)
{
	for (size_t i = 0; i < LENGTH(modifier_rows); i++) {
		if (modifier_rows[i].letter != *s->at)
			continue;
		if (modifier_rows[i].refusal)
			return scan_fail(s, s->at, "%s", modifier_rows[i].refusal);
		if (times_given(m, *s->at) == modifier_rows[i].most)
			return scan_fail(s, s->at, "modifier '%c' is given too often", *s->at);
		return true;
	}
	return scan_fail(s, s->at, "there is no modifier '%c'", *s->at);
}

static bool at_end_of_modifiers(const struct scan *s)
{
	return *s->at == '\0' || *s->at == ',' || *s->at == '}';
}

/* At least one letter. */
static bool parse_modifiers(struct scan *s, struct modifiers *m)
{
	m->n = 0;
	if (at_end_of_modifiers(s))
		return scan_fail(s, s->at, "a modifier is missing after ':'");
	for (; !at_end_of_modifiers(s); s->at++) {
		if (!check_modifier(s, m))
			return false;
		m->letters[m->n++] = *s->at;
	}
	m->letters[m->n] = '\0';
	return true;
}

static void apply_modifiers(const struct modifiers *m, bool leader, struct perf_event_attr *attr)
{
	bool u = times_given(m, 'u'), k = times_given(m, 'k'), h = times_given(m, 'h');
	bool guest = times_given(m, 'G'), host = times_given(m, 'H');

	attr->exclude_user = (k || h) && !u;
	attr->exclude_kernel = (u || h) && !k;
	attr->exclude_hv = (u || k) && !h;
	attr->exclude_host = guest && !host;
	attr->exclude_guest = host && !guest;
	attr->precise_ip = times_given(m, 'p') & PRECISE_MAX;
	attr->pinned = leader && times_given(m, 'D');
	attr->exclusive = leader && times_given(m, 'e');
}

/* --- Terms of cpu/.../ --- */

enum term_kind { TERM_NUMBER, TERM_FLAG, TERM_NAME };

#define EVENT_TERM  (1u << 0)
#define CONFIG_TERM (1u << 6)
#define FIELD_TERMS 0x3fu
#define ALIAS_TERM  (1u << 9)

/* The place of a row is the bit of the term in `seen`. */
static const struct term {
	const char *name;
	enum term_kind kind;
	uint64_t min, max;
	uint64_t flag;
	unsigned shift;
} terms[] = {
	{"event", TERM_NUMBER, 0, 0xfff, 0, 0},
	{"umask", TERM_NUMBER, 0, 0xff, 0, UMASK_SHIFT},
	{"cmask", TERM_NUMBER, 0, 0xff, 0, CMASK_SHIFT},
	{"inv", TERM_FLAG, 0, 1, EVTSEL_INV, 0},
	{"edge", TERM_FLAG, 0, 1, EVTSEL_EDGE, 0},
	{"any", TERM_FLAG, 0, 1, EVTSEL_ANY, 0},
	{"config", TERM_NUMBER, 0, UINT64_MAX, 0, 0},
	{"period", TERM_NUMBER, 1, MAX_PERIOD, 0, 0},
	{"name", TERM_NAME, 0, 0, 0, 0},
};

#define PERIOD_INDEX 7

static uint64_t event_bits(uint64_t event)
{
	return (event & EVTSEL_EVENT) | (event & 0xf00) << AMD_EVENT_HI_SHIFT;
}

static void set_term(size_t i, uint64_t value, struct perf_event_attr *attr)
{
	const struct term *term = &terms[i];

	if (i == PERIOD_INDEX)
		attr->sample_period = value;
	else if (1u << i == EVENT_TERM)
		attr->config |= event_bits(value);
	else if (term->kind == TERM_FLAG)
		attr->config |= value ? term->flag : 0;
	else
		attr->config |= value << term->shift;
}

static bool parse_name_value(struct scan *s, struct word *name)
{
	*name = scan_word(s);
	if (!name->n)
		return scan_fail(s, s->at, "a name is missing after 'name='");
	return true;
}

static bool parse_value(struct scan *s, size_t i, struct perf_event_attr *attr, struct word *name)
{
	const struct term *term = &terms[i];
	uint64_t value = 1;

	if (!scan_take(s, '=')) {
		if (term->kind != TERM_FLAG)
			return scan_fail(s, s->at, "'=' is missing after '%s'", term->name);
		set_term(i, value, attr);
		return true;
	}
	if (term->kind == TERM_NAME)
		return parse_name_value(s, name);
	if (!scan_number(s, term->name, term->min, term->max, &value))
		return false;
	set_term(i, value, attr);
	return true;
}

static const struct pmu_event_name *find_name(const struct word *word)
{
	const struct pmu_event_name *name;

	for (size_t i = 0; (name = pmu_event_names(i)); i++)
		if (word_is(word, name->name) || (name->alias && word_is(word, name->alias)))
			return name;
	return NULL;
}

static bool parse_alias(struct scan *s, const struct word *word, struct perf_event_attr *attr)
{
	const struct pmu_event_name *name = find_name(word);

	if (!name || name->type != PERF_TYPE_HARDWARE)
		return scan_fail(s, word->start, "there is no term '%.*s' of PMU cpu", (int)word->n,
				 word->start);
	attr->type = name->type;
	attr->config = name->config;
	return true;
}

static bool check_combination(struct scan *s, const char *where, unsigned seen)
{
	if (seen & CONFIG_TERM && seen & FIELD_TERMS)
		return scan_fail(s, where, "config= says it all: no other fields beside it");
	if (seen & ALIAS_TERM && seen & (CONFIG_TERM | FIELD_TERMS))
		return scan_fail(s, where, "a named event takes no other fields beside it");
	return true;
}

static bool parse_term(struct scan *s, unsigned *seen, struct perf_event_attr *attr,
		       struct word *name)
{
	struct word word = scan_word(s);
	size_t i = 0;

	if (!word.n)
		return scan_fail(s, s->at, "a term is missing");
	while (i < LENGTH(terms) && !word_is(&word, terms[i].name))
		i++;
	if (*seen & 1u << i)
		return scan_fail(s, word.start, "'%.*s' is one term too many", (int)word.n,
				 word.start);
	*seen |= 1u << i;
	if (i == LENGTH(terms) && !parse_alias(s, &word, attr))
		return false;
	if (!check_combination(s, word.start, *seen))
		return false;
	return i == LENGTH(terms) || parse_value(s, i, attr, name);
}
_Static_assert(1u << LENGTH(terms) == ALIAS_TERM, "what is no row is an alias");

static bool parse_terms(struct scan *s, struct perf_event_attr *attr, struct word *name)
{
	unsigned seen = 0;

	attr->type = PERF_TYPE_RAW;
	do {
		if (!parse_term(s, &seen, attr, name))
			return false;
	} while (scan_take(s, ','));
	if (!scan_take(s, '/'))
		return scan_fail(s, s->at, "',' or '/' is missing after a term");
	if (!(seen & (ALIAS_TERM | CONFIG_TERM | FIELD_TERMS)))
		return scan_fail(s, s->at - 1, "no event is named here");
	return true;
}

/* --- Events --- */

#define RAW_MAX_DIGITS 16

static bool is_raw(const struct word *word)
{
	if (word->n < 2 || word->start[0] != 'r')
		return false;
	for (size_t i = 1; i < word->n; i++)
		if (!scan_is_hex(word->start[i]))
			return false;
	return true;
}

static bool parse_simple(struct scan *s, const struct word *word, struct perf_event_attr *attr)
{
	const struct pmu_event_name *name = find_name(word);

	if (name) {
		attr->type = name->type;
		attr->config = name->config;
		return true;
	}
	if (!is_raw(word))
		return scan_fail(s, word->start, "there is no event '%.*s'", (int)word->n,
				 word->start);
	if (word->n - 1 > RAW_MAX_DIGITS)
		return scan_fail(s, word->start, "a raw event has at most %u digits",
				 RAW_MAX_DIGITS);
	attr->type = PERF_TYPE_RAW;
	attr->config = scan_hex(word->start + 1, word->n - 1);
	return true;
}

/* What is printed: the event as it was written, or its name=, then its modifiers. */
static bool set_name(struct scan *s, struct pmu_event_spec *spec, const struct word *base,
		     const char *separator, const struct modifiers *m)
{
	if (!m->n)
		separator = "";
	if (base->n + strlen(separator) + m->n >= sizeof(spec->name))
		return scan_fail(s, base->start, "the event is written in more than %zu characters",
				 sizeof(spec->name) - 1);
	fmt_print(spec->name, sizeof(spec->name), "%.*s%s%s", (int)base->n, base->start, separator,
		  m->letters);
	return true;
}

/* What was parsed of an event before the modifiers of its group are known. */
struct draft {
	struct word base;
	const char *separator;
	struct modifiers own;
};

static bool parse_pmu(struct scan *s, const struct word *pmu, struct perf_event_attr *attr,
		      struct draft *draft)
{
	struct word name = {.n = 0};

	if (!word_is(pmu, "cpu"))
		return scan_fail(s, pmu->start, "there is no PMU '%.*s': it is called cpu",
				 (int)pmu->n, pmu->start);
	if (!parse_terms(s, attr, &name))
		return false;
	draft->base.n = (size_t)(s->at - draft->base.start);
	draft->separator = name.n ? ":" : "";
	if (name.n)
		draft->base = name;
	return at_end_of_modifiers(s) || parse_modifiers(s, &draft->own);
}

static bool parse_event(struct scan *s, struct pmu_event_spec *spec, struct draft *draft)
{
	struct word word = scan_word(s);

	*spec = (struct pmu_event_spec){.group = PMU_NO_GROUP};
	*draft = (struct draft){.base = word, .separator = ":"};
	spec->attr.size = sizeof(spec->attr);
	if (!word.n)
		return scan_fail(s, s->at, "an event is missing");
	if (scan_take(s, '/'))
		return parse_pmu(s, &word, &spec->attr, draft);
	if (!parse_simple(s, &word, &spec->attr))
		return false;
	if (scan_take(s, ':'))
		return parse_modifiers(s, &draft->own);
	return true;
}

static void add_modifiers(struct modifiers *m, const struct modifiers *more)
{
	for (size_t i = 0; i < more->n; i++)
		if (times_given(m, more->letters[i]) < most_times(more->letters[i]))
			m->letters[m->n++] = more->letters[i];
	m->letters[m->n] = '\0';
}

static bool finish(struct parser *p, struct pmu_event_spec *spec, struct draft *draft,
		   const struct modifiers *of_group, bool leader)
{
	struct modifiers m = draft->own;

	add_modifiers(&m, of_group);
	apply_modifiers(&m, leader || times_given(&draft->own, 'D'), &spec->attr);
	return set_name(&p->scan, spec, &draft->base, draft->separator, &m);
}

static bool has_room(struct parser *p)
{
	if (p->n < p->max)
		return true;
	p->full = true;
	scan_fail(&p->scan, p->scan.at, "there are more than %zu events", p->max);
	return false;
}

/* --- Groups and lists --- */

#define GROUP_MAX 48

static bool parse_group_events(struct parser *p, struct draft *drafts, size_t *n)
{
	struct scan *s = &p->scan;

	do {
		if (!has_room(p))
			return false;
		if (*n == GROUP_MAX)
			return scan_fail(s, s->at, "a group has at most %u events", GROUP_MAX);
		if (*s->at == '{')
			return scan_fail(s, s->at, "groups do not nest");
		if (!parse_event(s, &p->out[p->n], &drafts[*n]))
			return false;
		p->out[p->n++].group = p->groups;
		++*n;
	} while (scan_take(s, ','));
	if (!scan_take(s, '}'))
		return scan_fail(s, s->at, "'}' is missing");
	return true;
}

static bool parse_group(struct parser *p)
{
	struct modifiers of_group = {.n = 0};
	struct draft drafts[GROUP_MAX];
	size_t first = p->n, n = 0;

	if (!parse_group_events(p, drafts, &n))
		return false;
	if (scan_take(&p->scan, ':') && !parse_modifiers(&p->scan, &of_group))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!finish(p, &p->out[first + i], &drafts[i], &of_group, i == 0))
			return false;
	p->groups++;
	return true;
}

static bool parse_item(struct parser *p)
{
	const struct modifiers none = {.n = 0};
	struct draft draft;

	if (scan_take(&p->scan, '{'))
		return parse_group(p);
	if (!has_room(p) || !parse_event(&p->scan, &p->out[p->n], &draft))
		return false;
	return finish(p, &p->out[p->n++], &draft, &none, true);
}

static bool parse_list(struct parser *p)
{
	do {
		if (!parse_item(p))
			return false;
	} while (scan_take(&p->scan, ','));
	if (*p->scan.at)
		return scan_fail(&p->scan, p->scan.at, "'%c' does not belong here", *p->scan.at);
	return true;
}

int pmu_parse_events(const char *text, struct pmu_event_spec *out, size_t max,
		     struct pmu_parse_error *err)
{
	struct parser p = {.scan = {text, text, err}, .out = out, .max = max};

	*err = (struct pmu_parse_error){.column = 0};
	if (parse_list(&p))
		return (int)p.n;
	return p.full ? -E2BIG : -EINVAL;
}
