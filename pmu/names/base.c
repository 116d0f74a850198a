// SPDX-License-Identifier: BSD-2-Clause
/* base.c - see base.h. */
#include "pmu/names/base.h"

#include "lib/glob.h"
#include "lib/string.h"
#include "pmu/names/dynamic.h"
#include "pmu/names/intel_names.h"
#include "pmu/names/kinds.h"
#include "pmu/names/modifiers.h"

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

static bool ends_item(char c)
{
	return !c || strchr(",{}/ \t\n", c);
}

/* The longest text that a namer may look at. */
static size_t base_item_length(const char *text)
{
	size_t n = 0;

	while (!ends_item(text[n]))
		n++;
	return n;
}

/* --- Names published by Intel --- */

/* The other cores of a hybrid CPU that the name may belong to; NULL: none. */
static const struct uarch *published_beside(const struct scan *s)
{
	const struct pmu_namer *namer = s->namer;

	if (namer->core || namer->one_kind || !uarch_has_core(namer->uarch, 0))
		return NULL;
	return uarch_beside(namer->uarch);
}

/* Finds the `n` characters at `text` among the names of `uarch`; NULL has none. */
static bool find_published_in(struct scan *s, const struct uarch *uarch, const char *text, size_t n,
			      struct perf_event_attr *attr)
{
	struct intel_event event;

	if (!uarch || !intel_find(uarch, text, n, &event))
		return false;
	s->published = uarch;
	attr->type = PERF_TYPE_RAW;
	attr->config = event.config;
	attr->config1 = event.config1;
	return true;
}

/* A name that only the other cores have is an event of these. */
static bool find_published(struct scan *s, const char *text, size_t n, struct perf_event_attr *attr)
{
	const struct uarch *uarch = s->namer->uarch;

	if (find_published_in(s, uarch, text, n, attr))
		return true;
	if (!find_published_in(s, published_beside(s), text, n, attr))
		return false;
	kinds_set(attr, uarch_has_core(uarch, UARCH_CORE) ? UARCH_ATOM : UARCH_CORE);
	return true;
}

/* The length of the text before the last colon; 0: there is no colon. */
static size_t before_colon(const char *text, size_t n)
{
	while (n && text[n - 1] != ':')
		n--;
	return n ? n - 1 : 0;
}

/* The name may contain colons, or end at one. */
static bool parse_published(struct scan *s, struct word *word, struct perf_event_attr *attr)
{
	size_t n = s->namer->uarch ? base_item_length(word->start) : 0;

	while (n && !find_published(s, word->start, n, attr))
		n = before_colon(word->start, n);
	if (!n)
		return false;
	word->n = n;
	s->at = word->start + n;
	return true;
}

bool base_beside(struct scan *s, const struct word *word, struct perf_event_attr *attr)
{
	const struct uarch *found = s->published;

	return find_published_in(s, published_beside(s), word->start, word->n, attr) &&
	       found == s->namer->uarch;
}

int base_find_foreign(struct scan *s, struct word *word, struct perf_event_attr *attr)
{
	size_t taken = 0;
	int known = 0;

	s->err->text[0] = '\0';
	if (s->namer->find)
		known = s->namer->find(s->namer->ctx, s->namer->core, word->start,
				       base_item_length(word->start), attr, &taken, s->err);
	if (known < 0) {
		s->err->column = (size_t)(word->start - s->text) + 1;
		return -1;
	}
	if (!known)
		return parse_published(s, word, attr);
	word->n = taken;
	s->at = word->start + taken;
	return 1;
}

/* --- TYPE:CONFIG --- */

/* True where the word is written as a number; scan_number() then checks it. */
static bool is_number_word(const struct word *word)
{
	for (size_t i = 0; i < word->n; i++)
		if (!scan_is_hex(word->start[i]) && !(i == 1 && word->start[i] == 'x'))
			return false;
	return word->n && word->start[0] >= '0' && word->start[0] <= '9';
}

static bool is_cache_config(uint64_t config)
{
	return !(config >> 24) && (config & 0xff) < PERF_COUNT_HW_CACHE_MAX &&
	       (config >> 8 & 0xff) < PERF_COUNT_HW_CACHE_OP_MAX &&
	       config >> 16 < PERF_COUNT_HW_CACHE_RESULT_MAX;
}

/* The event types, with the largest valid number of each. */
static const struct {
	uint64_t last;
	const char *instead; /* how such events are written; NULL: by numbers */
} types[PERF_TYPE_MAX] = {
	[PERF_TYPE_HARDWARE] = {PERF_COUNT_HW_MAX - 1, NULL},
	[PERF_TYPE_SOFTWARE] = {PERF_COUNT_SW_MAX - 1, NULL},
	[PERF_TYPE_TRACEPOINT] = {0, "tracepoints are written SYSTEM:NAME"},
	[PERF_TYPE_HW_CACHE] = {UINT64_MAX, NULL},
	[PERF_TYPE_RAW] = {UINT64_MAX, NULL},
	[PERF_TYPE_BREAKPOINT] = {0, "breakpoints are written mem:ADDRESS"},
};

static bool check_type_config(struct scan *s, const char *at_type, const char *at_config,
			      const struct perf_event_attr *attr)
{
	uint32_t type = attr->type;

	if (type >= PERF_TYPE_MAX)
		return scan_fail(s, at_type, "there is no event type %u", type);
	if (types[type].instead)
		return scan_fail(s, at_type, "%s", types[type].instead);
	if (attr->config > types[type].last ||
	    (type == PERF_TYPE_HW_CACHE && !is_cache_config(attr->config)))
		return scan_fail(s, at_config, "type %u has no event 0x%llx", type,
				 (unsigned long long)attr->config);
	return true;
}

/* Parses TYPE:CONFIG, where `word` is the type. */
static bool parse_numbers(struct scan *s, struct word *word, struct perf_event_attr *attr)
{
	const char *at_config;
	uint64_t type, config;

	s->at = word->start;
	if (!scan_number(s, "the type of an event", 0, UINT32_MAX, &type))
		return false;
	scan_take_past(s, ':');
	scan_blanks(s);
	at_config = s->at;
	if (!scan_number(s, "the config of an event", 0, UINT64_MAX, &config))
		return false;
	attr->type = (uint32_t)type;
	attr->config = config;
	word->n = (size_t)(s->at - word->start);
	return check_type_config(s, word->start, at_config, attr);
}

static bool begins_numbers(const struct scan *s, const struct word *word)
{
	struct scan ahead = *s;

	return is_number_word(word) && scan_take_past(&ahead, ':');
}

/* --- Names --- */

/* True where a colon and more than modifiers follow. */
static bool is_tracepoint(const struct scan *s)
{
	struct scan ahead = *s;
	struct modifiers m;
	struct pmu_parse_error ignored;

	ahead.err = &ignored;
	return scan_take(&ahead, ':') && !modifiers_end(&ahead) && *ahead.at != ':' &&
	       !modifiers_parse(&ahead, &m);
}

static bool names_system(const struct word *word)
{
	return !strchr("-.", word->start[0]);
}

static size_t to_colon(const char *text, size_t n)
{
	while (text[n] != ':' && !ends_item(text[n]))
		n++;
	return n;
}

/* The length up to the second colon, at which modifiers begin. */
static size_t tracepoint_length(const struct word *word)
{
	size_t n = to_colon(word->start, 0);

	return word->start[n] == ':' ? to_colon(word->start, n + 1) : n;
}

/* True for a pattern that contains a colon. */
static bool is_pattern(const struct scan *s, const struct word *word)
{
	size_t n = tracepoint_length(word);

	return s->namer->matching && word->start[to_colon(word->start, 0)] == ':' &&
	       glob_is_pattern(word->start, n);
}

const char *base_match(const struct scan *s, const struct word *word, size_t index,
		       struct perf_event_attr *attr)
{
	const char *name;
	uint64_t id;

	if (!s->namer->matching || !glob_is_pattern(word->start, word->n) ||
	    !s->namer->matching(s->namer->ctx, word->start, word->n, index, &name, &id))
		return NULL;
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = id;
	return name;
}

/* Takes the first match. */
static bool parse_pattern(struct scan *s, struct word *word, struct perf_event_attr *attr)
{
	size_t n = tracepoint_length(word);

	word->n = n;
	if (!base_match(s, word, 0, attr))
		return scan_fail(s, word->start, "no tracepoint matches '%.*s'", (int)n,
				 word->start);
	s->at = word->start + n;
	return true;
}

static bool parse_tracepoint(struct scan *s, struct word *word, struct perf_event_attr *attr)
{
	size_t n = tracepoint_length(word);
	uint64_t id;

	for (size_t i = 0; i < n; i++)
		if (strchr("*?[]", word->start[i]))
			return scan_fail(s, word->start + i,
					 "tracepoints are named one by one, without '%c'",
					 word->start[i]);
	if (!s->namer->tracepoint)
		return scan_fail(s, word->start,
				 "there is no event '%.*s': there are no tracepoints here", (int)n,
				 word->start);
	if (!s->namer->tracepoint(s->namer->ctx, word->start, n, &id))
		return scan_fail(s, word->start, "there is no event or tracepoint '%.*s'", (int)n,
				 word->start);
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = id;
	word->n = n;
	s->at = word->start + n;
	return true;
}

static bool fail_unknown(struct scan *s, const struct word *word)
{
	if (*s->at == '/')
		return scan_fail(s, word->start, "there is no PMU '%.*s': it is called cpu",
				 (int)word->n, word->start);
	return scan_fail(s, word->start, "there is no event '%.*s'", (int)word->n, word->start);
}

static bool parse_foreign(struct scan *s, struct word *word, struct perf_event_attr *attr)
{
	int known = base_find_foreign(s, word, attr);

	if (known)
		return known > 0;
	if (is_pattern(s, word))
		return parse_pattern(s, word, attr);
	return is_tracepoint(s) && names_system(word) ? parse_tracepoint(s, word, attr)
						      : fail_unknown(s, word);
}

static bool find_run_time(const struct word *word, struct perf_event_attr *attr)
{
	for (unsigned time = PMU_RUN_ELAPSED; time < PMU_RUN_TIMES; time++) {
		if (!word_is(word, pmu_run_time_name(time)))
			continue;
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_DUMMY;
		attr->config1 = time;
		return true;
	}
	return false;
}

/* Finds an event of a dynamic PMU by its name alone: "tsc" is msr/tsc/. */
static bool find_dynamic_event(const struct word *word, struct perf_event_attr *attr)
{
	const struct dynamic_pmu *p;

	for (size_t i = 0; (p = dynamic_pmu(i)); i++)
		for (const struct dynamic_event *e = p->events; e && e->name; e++) {
			if (!word_is(word, e->name))
				continue;
			attr->type = p->type;
			attr->config = p->config | e->config;
			return true;
		}
	return false;
}

static bool find_memory_event(const struct scan *s, const struct word *word,
			      struct perf_event_attr *attr)
{
	const struct uarch *uarch = s->namer->uarch;
	const struct uarch_named *m = uarch ? uarch_named_find(uarch, word->start, word->n) : NULL;

	if (!m)
		return false;
	attr->type = PERF_TYPE_RAW;
	attr->config = m->select;
	attr->config1 = m->config1;
	return true;
}

bool base_parse(struct scan *s, struct word *word, struct perf_event_attr *attr)
{
	uint32_t type;
	uint64_t config;

	if (begins_numbers(s, word))
		return parse_numbers(s, word, attr);
	if (pmu_event_name_find(word->start, word->n, &type, &config)) {
		attr->type = type;
		attr->config = config;
		return true;
	}
	if (find_memory_event(s, word, attr) || find_run_time(word, attr) ||
	    find_dynamic_event(word, attr))
		return true;
	if (!word_is_raw(word))
		return parse_foreign(s, word, attr);
	attr->type = PERF_TYPE_RAW;
	if (!scan_raw(s, word, &config))
		return false;
	attr->config = config;
	return true;
}
