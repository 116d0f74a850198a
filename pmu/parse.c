// SPDX-License-Identifier: BSD-2-Clause
/*
 * parse.c - the event parser; the grammar is in parse.h. One function for each rule, in the order
 * of the grammar from the bottom up; terms.c and modifiers.c have the two that are tables.
 */
#include "pmu/parse.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/modifiers.h"
#include "pmu/scan.h"
#include "pmu/terms.h"

#include <linux/errno.h>
#include <linux/hw_breakpoint.h>

struct parser {
	struct scan scan;
	struct pmu_event_spec *out;
	size_t n, max;
	bool full; /* failed for want of room */
	int groups;
};

/* What was parsed of an event before the modifiers of its group are known. */
struct draft {
	struct word base;
	const char *separator;
	struct modifiers own;
};

/* --- Breakpoints: mem:ADDR/len:rwx --- */

#define CODE_LENGTH 8 /* that perf_event_open(2) wants of one on instructions */

static bool parse_access(struct scan *s, uint32_t *type)
{
	static const char letters[] = "rwx";
	static const uint32_t bits[] = {HW_BREAKPOINT_R, HW_BREAKPOINT_W, HW_BREAKPOINT_X};

	*type = 0;
	for (; !modifiers_end(s) && *s->at != ':'; s->at++) {
		const char *letter = strchr(letters, *s->at);

		if (!letter)
			return scan_fail(s, s->at, "an access is r, w or x, not '%c'", *s->at);
		if (*type & bits[letter - letters])
			return scan_fail(s, s->at, "access '%c' is given twice", *s->at);
		*type |= bits[letter - letters];
	}
	if (!*type)
		return scan_fail(s, s->at, "an access (r, w, x) is missing after ':'");
	return true;
}

static bool check_breakpoint(struct scan *s, const char *at_length,
			     const struct perf_event_attr *attr)
{
	uint64_t length = attr->bp_len;

	if (length & (length - 1))
		return scan_fail(s, at_length, "a breakpoint is 1, 2, 4 or 8 bytes long");
	if (!(attr->bp_type & HW_BREAKPOINT_X) && attr->bp_addr & (length - 1))
		return scan_fail(s, at_length, "the address is not a multiple of %llu, its length",
				 (unsigned long long)length);
	return true;
}

/* Behind "mem:". */
static bool parse_breakpoint(struct scan *s, struct perf_event_attr *attr, struct draft *draft)
{
	const char *at_length = s->at;
	uint64_t address, length = 0;
	uint32_t type = HW_BREAKPOINT_RW;
	bool more;

	if (!scan_number(s, "the address of mem:", 0, UINT64_MAX, &address))
		return false;
	if (scan_take(s, '/')) {
		at_length = s->at;
		if (!scan_number(s, "the length of a breakpoint", 1, 8, &length))
			return false;
	}
	more = scan_take(s, ':');
	if (more && !parse_access(s, &type))
		return false;
	draft->base.n = (size_t)(s->at - draft->base.start);
	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_addr = address;
	attr->bp_type = type;
	attr->bp_len = length ? length : type & HW_BREAKPOINT_X ? CODE_LENGTH : HW_BREAKPOINT_LEN_4;
	if (!check_breakpoint(s, at_length, attr))
		return false;
	return !scan_take(s, ':') || modifiers_parse(s, &draft->own);
}

/* --- Events --- */

static bool is_tracepoint(const struct scan *s)
{
	struct scan ahead = *s;
	struct modifiers m;
	struct pmu_parse_error ignored;

	ahead.err = &ignored;
	return scan_take(&ahead, ':') && !modifiers_end(&ahead) && *ahead.at != ':' &&
	       !modifiers_parse(&ahead, &m);
}

static bool fail_unknown(struct scan *s, const struct word *word)
{
	size_t n = word->n;

	if (!is_tracepoint(s))
		return scan_fail(s, word->start, "there is no event '%.*s'", (int)n, word->start);
	while (word->start[n] && word->start[n] != ',' && word->start[n] != '}')
		n++;
	return scan_fail(s, word->start, "there is no event '%.*s': there are no tracepoints here",
			 (int)n, word->start);
}

/* How far a namer may look. */
static size_t item_length(const char *text)
{
	size_t n = 0;

	while (text[n] && !strchr(",{}/ \t\n", text[n]))
		n++;
	return n;
}

/* Nobody here knows the word: is it the namer's? Then it takes as much of the text as is its. */
static bool parse_foreign(struct scan *s, struct word *word, struct perf_event_attr *attr)
{
	size_t taken = 0;
	int known = 0;

	s->err->text[0] = '\0';
	if (s->namer)
		known = s->namer->find(s->namer->ctx, word->start, item_length(word->start), attr,
				       &taken, s->err);
	if (!known)
		return fail_unknown(s, word);
	if (known < 0) {
		s->err->column = (size_t)(word->start - s->text) + 1;
		return false;
	}
	word->n = taken;
	s->at = word->start + taken;
	return true;
}

/* The event that `word` names; it grows where a namer takes more. */
static bool parse_simple(struct scan *s, struct word *word, struct perf_event_attr *attr)
{
	uint32_t type;
	uint64_t config;

	if (pmu_event_name_find(word->start, word->n, &type, &config)) {
		attr->type = type;
		attr->config = config;
		return true;
	}
	if (!word_is_raw(word))
		return parse_foreign(s, word, attr);
	attr->type = PERF_TYPE_RAW;
	if (!scan_raw(s, word, &config))
		return false;
	attr->config = config;
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

/* Behind the first slash of cpu/.../ or of an event with settings. */
static bool parse_slashes(struct scan *s, struct word *word, struct perf_event_attr *attr,
			  struct draft *draft)
{
	struct word name = {.n = 0};
	uint32_t type;
	uint64_t config;

	if (word_is(word, "cpu")) {
		if (!terms_parse(s, attr, &name))
			return false;
	} else if (word_is_raw(word) || pmu_event_name_find(word->start, word->n, &type, &config)) {
		if (!parse_simple(s, word, attr) || !terms_parse_settings(s, attr, &name))
			return false;
	} else {
		return scan_fail(s, word->start, "there is no PMU '%.*s': it is called cpu",
				 (int)word->n, word->start);
	}
	draft->base.n = (size_t)(s->at - draft->base.start);
	draft->separator = name.n ? ":" : "";
	if (name.n)
		draft->base = name;
	return modifiers_end(s) || modifiers_parse(s, &draft->own);
}

static bool parse_event(struct scan *s, struct pmu_event_spec *spec, struct draft *draft)
{
	struct word word;

	scan_blanks(s);
	word = scan_word(s);
	*spec = (struct pmu_event_spec){.group = PMU_NO_GROUP};
	*draft = (struct draft){.base = word, .separator = ":"};
	spec->attr.size = sizeof(spec->attr);
	if (!word.n)
		return scan_fail(s, s->at, "an event is missing");
	if (word_is(&word, "mem") && scan_take(s, ':'))
		return parse_breakpoint(s, &spec->attr, draft);
	if (scan_take(s, '/'))
		return parse_slashes(s, &word, &spec->attr, draft);
	if (!parse_simple(s, &word, &spec->attr))
		return false;
	draft->base = word;
	return !scan_take(s, ':') || modifiers_parse(s, &draft->own);
}

static bool finish(struct parser *p, struct pmu_event_spec *spec, struct draft *draft,
		   const struct modifiers *of_group, const char *where, bool leader)
{
	struct modifiers m = draft->own;

	if (!modifiers_add(&p->scan, &m, of_group, where))
		return false;
	modifiers_apply(&m, &draft->own, leader, spec);
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
		scan_blanks(s);
		if (*s->at == '{')
			return scan_fail(s, s->at, "groups do not nest");
		if (!parse_event(s, &p->out[p->n], &drafts[*n]))
			return false;
		p->out[p->n++].group = p->groups;
		++*n;
		scan_blanks(s);
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
	const char *where;

	if (!parse_group_events(p, drafts, &n))
		return false;
	where = p->scan.at + 1;
	if (scan_take(&p->scan, ':') && !modifiers_parse(&p->scan, &of_group))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!finish(p, &p->out[first + i], &drafts[i], &of_group, where, i == 0))
			return false;
	p->groups++;
	return true;
}

static bool parse_item(struct parser *p)
{
	const struct modifiers none = {.n = 0};
	struct draft draft;

	scan_blanks(&p->scan);
	if (scan_take(&p->scan, '{'))
		return parse_group(p);
	if (!has_room(p) || !parse_event(&p->scan, &p->out[p->n], &draft))
		return false;
	return finish(p, &p->out[p->n++], &draft, &none, p->scan.at, true);
}

static bool parse_list(struct parser *p)
{
	do {
		if (!parse_item(p))
			return false;
		scan_blanks(&p->scan);
	} while (scan_take(&p->scan, ','));
	if (*p->scan.at)
		return scan_fail(&p->scan, p->scan.at, "'%c' does not belong here", *p->scan.at);
	return true;
}

int pmu_parse_events_named(const char *text, const struct pmu_namer *namer,
			   struct pmu_event_spec *out, size_t max, struct pmu_parse_error *err)
{
	struct parser p = {.out = out, .max = max};

	*err = (struct pmu_parse_error){.column = 0};
	p.scan = (struct scan){text, text, err, namer};
	if (parse_list(&p))
		return (int)p.n;
	return p.full ? -E2BIG : -EINVAL;
}

int pmu_parse_events(const char *text, struct pmu_event_spec *out, size_t max,
		     struct pmu_parse_error *err)
{
	return pmu_parse_events_named(text, NULL, out, max, err);
}
