// SPDX-License-Identifier: BSD-2-Clause
/*
 * parse.c - the event parser; parse.h has the grammar. There is one function for each rule, bottom
 * up. base.c, terms.c and modifiers.c parse names, terms and modifiers.
 */
#include "pmu/names/parse.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/names/base.h"
#include "pmu/names/dynamic.h"
#include "pmu/names/kinds.h"
#include "pmu/names/modifiers.h"
#include "pmu/names/scan.h"
#include "pmu/names/terms.h"

#include <linux/errno.h>
#include <linux/hw_breakpoint.h>

struct parser {
	struct scan scan;
	struct pmu_event_spec *out;
	size_t n, max;
	bool full; /* the parser failed because `out` is full */
	int groups;
};

/* An event before the modifiers of its group are known. */
struct draft {
	struct word base;
	struct word
		pattern; /* pattern of tracepoints, of which this is the first; empty: no pattern */
	const char *separator;
	struct modifiers own;
};

/* --- Breakpoints: mem:ADDR/len:rwx --- */

#define CODE_LENGTH 8 /* perf_event_open(2) requires it for breakpoints on code */

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

static bool check_breakpoint_size(struct scan *s, const char *at_length,
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

/* Parses the text behind "mem:". */
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
	if (!check_breakpoint_size(s, at_length, attr))
		return false;
	return !scan_take_past(s, ':') || modifiers_parse(s, &draft->own);
}

/* --- Events --- */

/* Sets the printed name: the event as it was written, or its name=, then its modifiers. */
static bool set_spec_name(struct scan *s, struct pmu_event_spec *spec, const struct word *base,
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

/* The PMUs of the core. A hybrid CPU has one for each core type. */
static const struct {
	const char *name;
	uint8_t core; /* UARCH_CORE or UARCH_ATOM; 0: any */
} pmus[] = {{"cpu", 0}, {"cpu_core", UARCH_CORE}, {"cpu_atom", UARCH_ATOM}};

/* The machine's cores of that type; NULL: it has none. */
static const struct uarch *uarch_of_core(const struct uarch *uarch, uint8_t core)
{
	if (!core || uarch_has_core(uarch, core))
		return uarch;
	return uarch_has_core(uarch, 0) ? uarch_beside(uarch) : NULL;
}

/* Checks that the machine has the PMU that `word` names. */
static bool check_pmu(struct scan *s, const struct word *word, uint8_t core)
{
	const struct uarch *uarch = s->namer->uarch;

	if (core && uarch && s->namer->one_kind && uarch_has_core(uarch, 0) &&
	    !uarch_has_core(uarch, core))
		return scan_fail(s, word->start,
				 "'%.*s' is the PMU of other cores than those of %s", (int)word->n,
				 word->start, uarch->name);
	if (!core || (uarch && uarch_of_core(uarch, core)))
		return true;
	return scan_fail(s, word->start,
			 "there is no PMU '%.*s': it is called cpu where all cores are alike",
			 (int)word->n, word->start);
}

/* The row of `pmus` that `word` names; -1: none. */
static int find_pmu_word(const struct word *word)
{
	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++)
		if (word_is(word, pmus[i].name))
			return (int)i;
	return -1;
}

/* Parses terms for the core type `core`. */
static bool parse_terms_of(struct scan *s, uint8_t core, struct perf_event_attr *attr,
			   struct word *name)
{
	const struct pmu_namer *namer = s->namer;
	struct pmu_namer of_core = *namer;
	bool ok;

	of_core.core = core;
	if (namer->uarch)
		of_core.uarch = uarch_of_core(namer->uarch, core);
	s->namer = &of_core;
	ok = terms_parse(s, attr, name);
	s->namer = namer;
	return ok;
}

/*
 * On a hybrid, a name of Intel's means an event for each core type that has it, each with its own
 * encoding. Between slashes, it means the first core type only.
 */
static void note_kinds(struct scan *s, int pmu, const struct word *word,
		       struct pmu_event_spec *spec)
{
	struct perf_event_attr beside = {.config = 0};

	if (!s->published || !uarch_has_core(s->published, 0) || spec->core ||
	    kinds_of(&spec->attr))
		return;
	spec->by_name = true;
	spec->is_beside = pmu < 0 && base_beside(s, word, &beside);
	spec->beside_config = beside.config;
	spec->beside_config1 = beside.config1;
}

/* Parses the text behind the first slash of a PMU (`pmu`), or of an event with settings (-1). */
static bool parse_slashes(struct scan *s, int pmu, struct pmu_event_spec *spec, struct draft *draft)
{
	struct perf_event_attr *attr = &spec->attr;
	struct word name = {.n = 0};

	spec->core = pmu >= 0 ? pmus[pmu].core : 0;
	if (pmu >= 0 && !check_pmu(s, &draft->base, spec->core))
		return false;
	if (pmu >= 0 ? !parse_terms_of(s, spec->core, attr, &name)
		     : !terms_parse_settings(s, attr, &name))
		return false;
	if (spec->core)
		kinds_set(attr, spec->core);
	if (pmu >= 0)
		note_kinds(s, pmu, &draft->base, spec);
	draft->base.n = (size_t)(s->at - draft->base.start);
	draft->separator = name.n && name.start[name.n - 1] != '/' ? ":" : "";
	if (name.n)
		draft->base = name;
	return modifiers_end(s) || modifiers_parse(s, &draft->own);
}

/* Parses the text behind the first slash of a dynamic PMU. */
static bool parse_dynamic(struct scan *s, const struct dynamic_pmu *p, struct perf_event_attr *attr,
			  struct draft *draft)
{
	if (!dynamic_parse(s, p, attr))
		return false;
	draft->base.n = (size_t)(s->at - draft->base.start);
	draft->separator = "";
	return modifiers_end(s) || modifiers_parse(s, &draft->own);
}

/* True where a pattern of tracepoints begins that no word begins like. */
static bool begins_pattern(const struct scan *s)
{
	return s->namer->matching && *s->at && strchr("*?[", *s->at);
}

/* Takes a pattern of tracepoints. False: error reported. */
static bool take_pattern(struct scan *s, const struct word *word, struct pmu_event_spec *spec,
			 struct draft *draft)
{
	const char *name = base_match(s, word, 0, &spec->attr);

	if (!name)
		return true;
	draft->pattern = *word;
	draft->base = (struct word){name, strlen(name)};
	return *s->at != '/' || scan_fail(s, s->at, "a pattern of tracepoints takes no settings");
}

static bool parse_event(struct scan *s, struct pmu_event_spec *spec, struct draft *draft)
{
	const struct dynamic_pmu *dynamic;
	struct word word;
	int pmu;

	scan_blanks(s);
	word = scan_word(s);
	*spec = (struct pmu_event_spec){.group = PMU_NO_GROUP};
	*draft = (struct draft){.base = word, .separator = ":"};
	spec->attr.size = sizeof(spec->attr);
	s->published = NULL;
	if (!word.n && !begins_pattern(s))
		return scan_fail(s, s->at, "an event is missing");
	if (word_is(&word, "mem") && scan_take(s, ':'))
		return parse_breakpoint(s, &spec->attr, draft);
	dynamic = *s->at == '/' ? dynamic_pmu_find(&word) : NULL;
	if (dynamic && scan_take(s, '/'))
		return parse_dynamic(s, dynamic, &spec->attr, draft);
	pmu = *s->at == '/' ? find_pmu_word(&word) : -1;
	if (pmu < 0 && !base_parse(s, &word, &spec->attr))
		return false;
	draft->base = word;
	if (!take_pattern(s, &word, spec, draft))
		return false;
	if (pmu < 0)
		note_kinds(s, pmu, &word, spec);
	if (scan_take(s, '/'))
		return parse_slashes(s, pmu, spec, draft);
	return !scan_take_past(s, ':') || modifiers_parse(s, &draft->own);
}

static bool finish_spec(struct parser *p, struct pmu_event_spec *spec, struct draft *draft,
			const struct modifiers *of_group, const char *where, bool leader)
{
	struct modifiers m = draft->own;

	if (!modifiers_add(&p->scan, &m, of_group, where))
		return false;
	modifiers_apply(&m, &draft->own, leader, spec);
	return set_spec_name(&p->scan, spec, &draft->base, draft->separator, &m);
}

static bool has_spec_room(struct parser *p)
{
	if (p->n < p->max)
		return true;
	p->full = true;
	scan_fail(&p->scan, p->scan.at, "there are more than %zu events", p->max);
	return false;
}

/* --- Groups and lists --- */

#define GROUP_MAX 48

/* True for a word and a brace, maybe with blanks or, by mistake, a colon between them. */
static bool begins_named_group(const struct scan *s)
{
	struct scan ahead = *s;

	if (!scan_word(&ahead).n)
		return false;
	scan_take_past(&ahead, ':');
	return scan_take_past(&ahead, '{');
}

static bool begins_any_group(const struct scan *s)
{
	return *s->at == '{' || begins_named_group(s);
}

static bool check_group_name(struct scan *s, const struct word *word)
{
	uint32_t type;
	uint64_t config;

	if (word_is_raw(word) || pmu_event_name_find(word->start, word->n, &type, &config))
		return scan_fail(s, s->at, "',' is missing between an event and a group");
	if (word->n >= PMU_GROUP_NAME_MAX)
		return scan_fail(s, word->start, "the name of a group has at most %d characters",
				 PMU_GROUP_NAME_MAX - 1);
	for (size_t i = 0; i < word->n; i++)
		if (word->start[i] == '-' || (!i && word->start[i] <= '9'))
			return scan_fail(s, word->start + i,
					 "the name of a group has no '%c' there", word->start[i]);
	if (*s->at == ':')
		return scan_fail(s, s->at, "no ':' between the name of a group and its brace");
	return true;
}

/* Parses up to the brace, which is taken; `word` is empty for a group without a name. */
static bool parse_group_name(struct scan *s, struct word *word)
{
	if (begins_named_group(s)) {
		*word = scan_word(s);
		scan_blanks(s);
		if (!check_group_name(s, word))
			return false;
	}
	s->at++;
	return true;
}

static bool parse_group_events(struct parser *p, struct draft *drafts, size_t *n)
{
	struct scan *s = &p->scan;

	do {
		if (!has_spec_room(p))
			return false;
		if (*n == GROUP_MAX)
			return scan_fail(s, s->at, "a group has at most %u events", GROUP_MAX);
		scan_blanks(s);
		if (begins_any_group(s))
			return scan_fail(s, s->at, "groups do not nest");
		if (!parse_event(s, &p->out[p->n], &drafts[*n]))
			return false;
		if (drafts[*n].pattern.n)
			return scan_fail(s, drafts[*n].pattern.start,
					 "the tracepoints of a group are named one by one");
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
	struct word name = {.n = 0};
	size_t first = p->n, n = 0;
	const char *where;

	if (!parse_group_name(&p->scan, &name) || !parse_group_events(p, drafts, &n))
		return false;
	where = p->scan.at;
	if (scan_take_past(&p->scan, ':')) {
		scan_blanks(&p->scan);
		where = p->scan.at;
		if (!modifiers_parse(&p->scan, &of_group))
			return false;
	}
	for (size_t i = 0; i < n; i++) {
		struct pmu_event_spec *spec = &p->out[first + i];

		if (!finish_spec(p, spec, &drafts[i], &of_group, where, i == 0))
			return false;
		fmt_print(spec->group_name, sizeof(spec->group_name), "%.*s", (int)name.n,
			  name.n ? name.start : "");
	}
	p->groups++;
	return true;
}

/* Adds an event for each further tracepoint of the pattern. */
static bool add_matches(struct parser *p, struct draft *draft)
{
	const struct modifiers none = {.n = 0};
	const struct word pattern = draft->pattern;
	struct perf_event_attr attr;
	const char *name;

	for (size_t i = 1; (name = base_match(&p->scan, &pattern, i, &attr)); i++) {
		struct pmu_event_spec *spec = &p->out[p->n];

		if (!has_spec_room(p))
			return false;
		*spec = spec[-1];
		spec->more = true;
		spec->attr.config = attr.config;
		draft->base = (struct word){name, strlen(name)};
		p->n++;
		if (!finish_spec(p, spec, draft, &none, p->scan.at, true))
			return false;
	}
	return true;
}

static bool parse_item(struct parser *p)
{
	const struct modifiers none = {.n = 0};
	struct draft draft;

	scan_blanks(&p->scan);
	if (begins_any_group(&p->scan))
		return parse_group(p);
	if (!has_spec_room(p) || !parse_event(&p->scan, &p->out[p->n], &draft))
		return false;
	if (!finish_spec(p, &p->out[p->n++], &draft, &none, p->scan.at, true))
		return false;
	return !draft.pattern.n || add_matches(p, &draft);
}

static bool parse_specs(struct parser *p)
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
	static const struct pmu_namer nobody;
	struct parser p = {.out = out, .max = max};

	*err = (struct pmu_parse_error){.column = 0};
	p.scan = (struct scan){text, text, err, namer ? namer : &nobody, NULL};
	if (parse_specs(&p))
		return (int)p.n;
	return p.full ? -E2BIG : -EINVAL;
}

int pmu_parse_events(const char *text, struct pmu_event_spec *out, size_t max,
		     struct pmu_parse_error *err)
{
	return pmu_parse_events_named(text, NULL, out, max, err);
}

#define BEFORE 40 /* characters that are shown before a column within a long list */
#define BEHIND 60

void pmu_list_excerpt(char text[PMU_EXCERPT_MAX], const char *list, size_t column)
{
	const size_t n = strlen(list), at = column ? column - 1 : 0;
	size_t from = at > BEFORE ? at - BEFORE : 0, to = at + BEHIND < n ? at + BEHIND : n;

	if (n < PMU_EXCERPT_MAX) {
		from = 0;
		to = n;
	}
	while (from && from < at && list[from - 1] != ',')
		from++;
	while (to < n && to > at + 1 && list[to] != ',')
		to--;
	fmt_print(text, PMU_EXCERPT_MAX, "%s%.*s%s", from ? "..." : "", (int)(to - from),
		  list + from, to < n ? "..." : "");
}
