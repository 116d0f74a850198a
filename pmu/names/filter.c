// SPDX-License-Identifier: BSD-2-Clause
/*
 * filter.c - see filter.h. The parser creates the tests in the order of the text. The successor of
 * a test may be known only later; then it is an open slot. The open slots of a part of the
 * expression form two lists, for "true" and "false", linked through the slots.
 */
#include "pmu/names/filter.h"

#include "lib/glob.h"
#include "lib/string.h"
#include "pmu/names/scan.h"

#include <linux/errno.h>

/* Successors behind the last test. */
enum { ACCEPT = 0xff, REJECT = 0xfe, LIST_END = 0xfd };

#define DEPTH_MAX 16 /* nesting of brackets */

enum filter_op { EQ, NE, LT, LE, GT, GE, AND, LIKE };

/* An operator precedes those that are a prefix of it. */
static const struct {
	const char *text;
	uint8_t op;
	bool numbers, strings;
} operators[] = {
	{"==", EQ, true, true},  {"!=", NE, true, true},   {"<=", LE, true, false},
	{">=", GE, true, false}, {"<", LT, true, false},   {">", GT, true, false},
	{"&", AND, true, false}, {"~", LIKE, false, true},
};

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

#define COMMON(type_, member, sign)                                               \
	{                                                                         \
		.type = (type_), .name = "common_" #member,                       \
		.offset = offsetof(struct trace_entry, member),                   \
		.size = sizeof(((struct trace_entry *)NULL)->member), .count = 1, \
		.kind = TRACE_FIELD, .is_signed = (sign)                          \
	}

static const struct trace_field common[] = {
	COMMON("unsigned short", type, false),
	COMMON("unsigned char", flags, false),
	COMMON("unsigned char", preempt_count, false),
	COMMON("int", pid, true),
};

/* Fields of the hit itself, not of its entry. */
static const struct trace_field the_cpu = {.type = "int",
					   .name = "CPU",
					   .size = 4,
					   .count = 1,
					   .kind = TRACE_FIELD,
					   .is_signed = true};
static const struct trace_field the_comm = {
	.type = "char", .name = "COMM", .size = 16, .count = 16, .kind = TRACE_ARRAY};

static const struct {
	const char *name;
	const struct trace_field *field;
} of_hit[] = {
	{"CPU", &the_cpu},   {"cpu", &the_cpu},   {"common_cpu", &the_cpu},
	{"COMM", &the_comm}, {"comm", &the_comm},
};

static bool is_string(const struct trace_field *f)
{
	return f->kind == TRACE_STRING || (f->kind == TRACE_ARRAY && !strcmp(f->type, "char"));
}

/* --- Matching --- */

struct text {
	const char *at;
	size_t n;
};

/* The text of a field, cut at the end of the entry or at its terminator. */
static struct text field_text(const struct trace_field *f, const uint8_t *entry, size_t size)
{
	uint32_t at = f->offset, n = f->size;

	if (f->kind == TRACE_STRING) {
		memcpy(&at, entry + f->offset, sizeof(at));
		n = at >> 16;
		at &= 0xffff;
	}
	if (at > size || n > size - at)
		return (struct text){"", 0};
	return (struct text){(const char *)entry + at, strnlen((const char *)entry + at, n)};
}

static uint64_t field_number(const struct trace_field *f, const uint8_t *entry)
{
	const unsigned above = 64 - 8 * f->size;
	uint64_t v = 0;

	memcpy(&v, entry + f->offset, f->size);
	return f->is_signed ? (uint64_t)((int64_t)(v << above) >> above) : v;
}

static bool is_field_less(const struct trace_field *f, uint64_t a, uint64_t b)
{
	return f->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static bool number_holds(const struct pmu_filter_test *t, uint64_t v)
{
	switch ((enum filter_op)t->op) {
	case EQ:
		return v == t->value;
	case NE:
		return v != t->value;
	case LT:
		return is_field_less(t->field, v, t->value);
	case LE:
		return !is_field_less(t->field, t->value, v);
	case GT:
		return is_field_less(t->field, t->value, v);
	case GE:
		return !is_field_less(t->field, v, t->value);
	case AND:
		return v & t->value;
	case LIKE:
		break;
	}
	return false;
}

static bool string_holds(const struct pmu_filter_test *t, struct text text, struct text value)
{
	bool same = text.n == value.n && !memcmp(text.at, value.at, value.n);

	return t->op == LIKE ? glob_match(text.at, text.n, value.at, value.n)
			     : same == (t->op == EQ);
}

static struct text field_text_of(const struct trace_field *f, const struct pmu_filter_hit *hit)
{
	if (f == &the_comm)
		return (struct text){hit->comm, strlen(hit->comm)};
	return field_text(f, hit->entry, hit->size);
}

static bool test_holds(const struct pmu_filter *f, const struct pmu_filter_test *t,
		       const struct pmu_filter_hit *hit)
{
	if (!is_string(t->field))
		return number_holds(t, t->field == &the_cpu ? hit->cpu
							    : field_number(t->field, hit->entry));
	return string_holds(t, field_text_of(t->field, hit),
			    (struct text){f->text + t->text, t->ntext});
}

bool pmu_filter_match(const struct pmu_filter *filter, const struct pmu_filter_hit *hit)
{
	unsigned i = 0;

	if (hit->size < filter->event->size)
		return false;
	while (i < filter->n) {
		const struct pmu_filter_test *t = &filter->test[i];

		i = test_holds(filter, t, hit) ? t->yes : t->no;
	}
	return i == ACCEPT;
}

/* --- Parsing --- */

struct parser {
	struct scan scan;
	struct pmu_filter *filter;
	unsigned depth;
};

/*
 * A part of the expression: its first test, and its lists of open slots. A slot is twice the number
 * of its test, plus 1 for `no`.
 */
struct part {
	uint8_t first;
	uint8_t yes, no;
};

static uint8_t *slot_at(struct parser *p, uint8_t slot)
{
	struct pmu_filter_test *t = &p->filter->test[slot / 2];

	return slot % 2 ? &t->no : &t->yes;
}

static void fill_slots(struct parser *p, uint8_t slots, uint8_t target)
{
	while (slots != LIST_END) {
		uint8_t *at = slot_at(p, slots);

		slots = *at;
		*at = target;
	}
}

static uint8_t join_lists(struct parser *p, uint8_t a, uint8_t b)
{
	uint8_t last = a;

	if (a == LIST_END)
		return b;
	while (*slot_at(p, last) != LIST_END)
		last = *slot_at(p, last);
	*slot_at(p, last) = b;
	return a;
}

static bool take_text(struct scan *s, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(s->at, text, n))
		return false;
	s->at += n;
	return true;
}

static const struct trace_field *find_filter_field(const struct trace_event *event,
						   const struct word *word)
{
	for (size_t i = 0; i < event->nfields; i++)
		if (word_is(word, event->fields[i].name))
			return &event->fields[i];
	for (size_t i = 0; i < LENGTH(common); i++)
		if (word_is(word, common[i].name))
			return &common[i];
	for (size_t i = 0; i < LENGTH(of_hit); i++)
		if (word_is(word, of_hit[i].name))
			return of_hit[i].field;
	return NULL;
}

static bool parse_filter_field(struct parser *p, struct pmu_filter_test *t)
{
	const struct trace_event *event = p->filter->event;
	struct scan *s = &p->scan;
	struct word word = scan_word(s);

	if (!word.n)
		return scan_fail(s, s->at,
				 *s->at ? "a field is expected, not '%c'" : "a field is missing",
				 *s->at);
	t->field = find_filter_field(event, &word);
	if (!t->field)
		return scan_fail(s, word.start, "%s:%s has no field '%.*s'", event->system,
				 event->name, (int)word.n, word.start);
	if (t->field->kind == TRACE_ARRAY && !is_string(t->field))
		return scan_fail(s, word.start, "'%.*s' is an array of numbers", (int)word.n,
				 word.start);
	return true;
}

static bool parse_operator(struct parser *p, struct pmu_filter_test *t)
{
	struct scan *s = &p->scan;
	const char *where = s->at;
	bool string = is_string(t->field);

	for (size_t i = 0; i < LENGTH(operators); i++) {
		/* The & of && is not an operator. */
		if (!strncmp(where, "&&", 2) || !take_text(s, operators[i].text))
			continue;
		t->op = operators[i].op;
		if (string ? operators[i].strings : operators[i].numbers)
			return true;
		return scan_fail(s, where, "'%s' is not for %s, as '%s' is", operators[i].text,
				 string ? "strings" : "numbers", t->field->name);
	}
	return scan_fail(s, where, "one of %s is missing behind '%s'",
			 string ? "== != ~" : "== != < <= > >= &", t->field->name);
}

/* Parses a value in the range of the field, sign-extended. */
static bool parse_filter_number(struct parser *p, struct pmu_filter_test *t)
{
	const struct trace_field *f = t->field;
	struct scan *s = &p->scan;
	const char *where = s->at;
	bool minus = scan_take(s, '-');
	uint64_t most = UINT64_MAX >> (64 - 8 * f->size), v;

	if (f->is_signed)
		most = (most >> 1) + minus;
	else if (minus)
		return scan_fail(s, where, "'%s' is never negative", f->name);
	if (*s->at < '0' || *s->at > '9')
		return scan_fail(s, s->at, "a number is expected for '%s'", f->name);
	if (!scan_number(s, f->name, 0, most, &v))
		return false;
	if (*s->at && !strchr(" \t)&|", *s->at))
		return scan_fail(s, s->at, "'%c' does not belong to a number", *s->at);
	t->value = minus ? -v : v;
	return true;
}

static bool ends_text(const char *at)
{
	return !*at || strchr(" \t()", *at) || !strncmp(at, "&&", 2) || !strncmp(at, "||", 2);
}

static bool store_test_text(struct parser *p, struct pmu_filter_test *t, const char *at, size_t n)
{
	struct pmu_filter *f = p->filter;

	if (n > PMU_FILTER_TEXT - f->ntext)
		return scan_fail(&p->scan, at, "the texts of a filter have at most %d characters",
				 PMU_FILTER_TEXT);
	memcpy(f->text + f->ntext, at, n);
	t->text = (uint16_t)f->ntext;
	t->ntext = (uint16_t)n;
	f->ntext += (unsigned)n;
	return true;
}

/* In a filter, a bracket that is not closed is an error. */
static bool check_pattern(struct parser *p, const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t set = at[i] == '[' ? glob_set(at + i, n - i) : 1;

		if (!set)
			return scan_fail(&p->scan, at + i, "'[' is not closed");
		i += set - 1;
	}
	return true;
}

static bool parse_text(struct parser *p, struct pmu_filter_test *t)
{
	struct scan *s = &p->scan;
	const char *open = s->at, *start;
	size_t n;

	if (*open == '"' || *open == '\'') {
		start = open + 1;
		for (s->at++; *s->at != *open; s->at++)
			if (!*s->at)
				return scan_fail(s, open, "quote is not closed");
		n = (size_t)(s->at++ - start);
	} else {
		start = open;
		while (!ends_text(s->at))
			s->at++;
		n = (size_t)(s->at - start);
		if (!n)
			return scan_fail(s, s->at, "a text is expected for '%s'", t->field->name);
	}
	return (t->op != LIKE || check_pattern(p, start, n)) && store_test_text(p, t, start, n);
}

static bool parse_test(struct parser *p, struct part *part)
{
	struct pmu_filter *f = p->filter;
	const uint8_t i = (uint8_t)f->n;
	struct pmu_filter_test *t = &f->test[i];

	if (i == PMU_FILTER_TESTS)
		return scan_fail(&p->scan, p->scan.at, "a filter has at most %d comparisons",
				 PMU_FILTER_TESTS);
	*t = (struct pmu_filter_test){.yes = LIST_END, .no = LIST_END};
	f->n++;
	if (!parse_filter_field(p, t))
		return false;
	scan_blanks(&p->scan);
	if (!parse_operator(p, t))
		return false;
	scan_blanks(&p->scan);
	*part = (struct part){i, (uint8_t)(2 * i), (uint8_t)(2 * i + 1)};
	return is_string(t->field) ? parse_text(p, t) : parse_filter_number(p, t);
}

static bool parse_or(struct parser *p, struct part *part);

static bool parse_brackets(struct parser *p, struct part *part)
{
	const char *open = p->scan.at - 1;

	if (++p->depth > DEPTH_MAX)
		return scan_fail(&p->scan, open, "brackets nest at most %d deep", DEPTH_MAX);
	if (!parse_or(p, part))
		return false;
	p->depth--;
	return scan_take(&p->scan, ')') || scan_fail(&p->scan, open, "'(' is not closed");
}

static bool parse_not(struct parser *p, struct part *part)
{
	bool inverse = false;

	scan_blanks(&p->scan);
	while (scan_take(&p->scan, '!')) {
		inverse = !inverse;
		scan_blanks(&p->scan);
	}
	if (!(scan_take(&p->scan, '(') ? parse_brackets : parse_test)(p, part))
		return false;
	if (inverse)
		*part = (struct part){part->first, part->no, part->yes};
	scan_blanks(&p->scan);
	return true;
}

static bool parse_and(struct parser *p, struct part *part)
{
	struct part next;

	if (!parse_not(p, part))
		return false;
	while (take_text(&p->scan, "&&")) {
		if (!parse_not(p, &next))
			return false;
		fill_slots(p, part->yes, next.first);
		*part = (struct part){part->first, next.yes, join_lists(p, part->no, next.no)};
	}
	return true;
}

static bool parse_or(struct parser *p, struct part *part)
{
	struct part next;

	if (!parse_and(p, part))
		return false;
	while (take_text(&p->scan, "||")) {
		if (!parse_and(p, &next))
			return false;
		fill_slots(p, part->no, next.first);
		*part = (struct part){part->first, join_lists(p, part->yes, next.yes), next.no};
	}
	return true;
}

int pmu_filter_parse(struct pmu_filter *filter, const struct trace_event *event, const char *text,
		     struct pmu_parse_error *err)
{
	static const struct pmu_namer nobody;
	struct parser p = {.scan = {text, text, err, &nobody}, .filter = filter};
	struct part all;

	*err = (struct pmu_parse_error){.column = 0};
	*filter = (struct pmu_filter){.event = event};
	if (!parse_or(&p, &all))
		return -EINVAL;
	if (*p.scan.at) {
		scan_fail(&p.scan, p.scan.at,
			  *p.scan.at == ')' ? "'%c' closes nothing" : "'%c' does not belong here",
			  *p.scan.at);
		return -EINVAL;
	}
	fill_slots(&p, all.yes, ACCEPT);
	fill_slots(&p, all.no, REJECT);
	return 0;
}

int pmu_filter_event(struct pmu_filter *filter, const struct pmu_event_spec *spec,
		     const struct trace_event *event, const char *text, struct reason *why)
{
	struct pmu_parse_error error;

	if (spec->attr.type != PERF_TYPE_TRACEPOINT || !event)
		return refuse(why, EINVAL, "--filter %s: %s is no tracepoint", text, spec->name);
	if (filter->event)
		return refuse(why, EINVAL, "--filter %s: %s has a filter already; && joins both",
			      text, spec->name);
	if (!pmu_filter_parse(filter, event, text, &error))
		return 0;
	return refuse(why, EINVAL, "--filter %s: column %zu: %s", text, error.column, error.text);
}
