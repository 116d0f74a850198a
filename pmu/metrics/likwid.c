// SPDX-License-Identifier: BSD-2-Clause
/*
 * likwid.c - parses LIKWID's performance groups (format: LIKWID's wiki):
 *
 *   SHORT purpose of the group
 *   REQUIRE_NOHT                  it has as many events as a core has counters without threads
 *   EVENTSET
 *   COUNTER EVENT                 a counter, which formulas name, and its event
 *   METRICS
 *   NAME [UNIT] FORMULA           the formula has no blanks
 *   LONG                          text, to the end
 *
 * The scheduler chooses the counters here, so names of counters are names of events. The group has
 * the name of its file.
 */
#include "pmu/metrics/reading.h"

#include "lib/ascii.h"
#include "lib/printf.h"
#include "lib/string.h"

#include <linux/errno.h>

enum section { SECTION_NONE, SECTION_EVENTS, SECTION_METRICS, SECTION_LONG };

/* Counters with events of perf0: fixed and general ones of the core, energy. */
static const char *const counters[] = {"FIXC", "PMC", "PWR"};

/* True for "PMC" and a number. */
static bool is_counter(struct metrics_span word, const char *kind)
{
	const unsigned n = (unsigned)strlen(kind);

	if (word.n <= n || memcmp(word.at, kind, n))
		return false;
	for (unsigned i = n; i < word.n; i++)
		if (word.at[i] < '0' || word.at[i] > '9')
			return false;
	return true;
}

/* --- Counters --- */

/* Counters outside of the core, and the unit that each belongs to. */
static const struct {
	const char *kind, *what;
} outside[] = {
	{"CBOX", "slices of the last level"},
	{"MBOX", "memory controllers"},
	{"MDEV", "memory devices"},
	{"BBOX", "home agents"},
	{"SBOX", "links between sockets"},
	{"QBOX", "links between sockets"},
	{"RBOX", "the router of the links"},
	{"PBOX", "the ring's way to PCIe"},
	{"IBOX", "PCIe"},
	{"UBOX", "the uncore's clock and events"},
	{"WBOX", "the power control unit"},
	{"EUBOX", "the memory on the package"},
	{"EDBOX", "the memory on the package"},
	{"UPMC", "the northbridge"},
	{"CPMC", "the last level: amd_l3/.../ has its events"},
	{"DFC", "the data fabric: amd_df/.../ has its events"},
	{"TMP", "the thermometer"},
	{"TMA", "top-down: -M TopdownL1 has its shares"},
	{"PPERF", "the productive clock"},
};

static int refuse_counter(struct reading *r, struct metrics_span word)
{
	const int n = word.n > 40 ? 40 : (int)word.n;

	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
		if (word.n >= strlen(outside[i].kind) &&
		    !memcmp(word.at, outside[i].kind, strlen(outside[i].kind)))
			return reading_refuse(r,
					      "counter '%.*s' is none of a core's: it counts for "
					      "%s",
					      n, word.at, outside[i].what);
	return reading_refuse(r, "unknown counter '%.*s'; there are FIXCn, PMCn and PWRn", n,
			      word.at);
}

static int check_counter(struct reading *r, struct metrics_span word, unsigned column)
{
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		if (is_counter(word, counters[i]))
			return 0;
	if (span_is(word, "APERF") || span_is(word, "MPERF"))
		return 0;
	r->column = column;
	return refuse_counter(r, word);
}

/* --- Options of counters --- */

/* The equivalent term of an event for each option. */
static const struct {
	const char *option, *term; /* "": the default already */
	bool number;               /* the option and the term have a number */
} options_known[] = {
	{"EDGEDETECT", ",edge", false},
	{"THRESHOLD", ",cmask=", true},
	{"INVERT", ",inv", false},
	{"ANYTHREAD", ",any", false},
	{"IN_TRANSACTION", ",in_tx", false},
	{"IN_TRANSACTION_ABORTED", ",in_tx_cp", false},
	/* Ring 0 counts unless the command excludes it. */
	{"KERNEL", "", false},
	{"COUNT_KERNEL", "", false},
};

/* Reads the number behind "=", decimal or hexadecimal; false: it is not a number. */
static bool option_number(struct metrics_span text, uint64_t *value)
{
	const bool hex = text.n > 2 && text.at[0] == '0' && (text.at[1] | 0x20) == 'x';
	const unsigned base = hex ? 16 : 10;

	*value = 0;
	for (unsigned i = hex ? 2 : 0; i < text.n; i++) {
		const char c = ascii_lower(text.at[i]);
		const unsigned digit = c >= 'a' ? (unsigned)(c - 'a') + 10 : (unsigned)(c - '0');

		if (digit >= base || *value >> 58)
			return false;
		*value = *value * base + digit;
	}
	return text.n > 0;
}

/* The next option, and in `value` the text behind its "="; empty: there are no more. */
static struct metrics_span next_option(struct metrics_span *rest, struct metrics_span *value)
{
	struct metrics_span option = {rest->at, 0};
	unsigned n = 0;

	while (n < rest->n && rest->at[n] != ':')
		n++;
	while (option.n < n && option.at[option.n] != '=')
		option.n++;
	*value = (struct metrics_span){option.at + option.n + 1,
				       option.n < n ? n - option.n - 1 : 0};
	n += n < rest->n;
	rest->at += n;
	rest->n -= n;
	return option;
}

/*
 * MATCH0 has the requests, bits 15:0 of the off-core register; MATCH1 has the responses, the bits
 * above.
 */
static bool take_match(struct metrics_span option, uint64_t number, uint64_t *match)
{
	if (span_is(option, "MATCH0"))
		*match |= number & 0x8fff;
	else if (span_is(option, "MATCH1"))
		*match |= number << 16;
	else
		return false;
	return true;
}

/* Adds an option; false: it is unknown. */
static bool put_option(char *terms, size_t *n, struct metrics_span option,
		       struct metrics_span value, uint64_t *match)
{
	uint64_t number = 0;
	const bool numbered = option_number(value, &number);

	if (numbered && take_match(option, number, match))
		return true;
	for (size_t i = 0; i < sizeof(options_known) / sizeof(options_known[0]); i++) {
		if (!span_is(option, options_known[i].option))
			continue;
		*n += (size_t)fmt_print(terms + *n, LIKWID_TERMS_MAX - *n,
					numbered ? "%s0x%llx" : "%s", options_known[i].term,
					(unsigned long long)number);
		return options_known[i].number == numbered && *n < LIKWID_TERMS_MAX;
	}
	return false;
}

int likwid_options(struct metrics_span options, char terms[LIKWID_TERMS_MAX],
		   struct metrics_span *bad)
{
	struct metrics_span value;
	uint64_t match = 0;
	size_t n = 0;

	terms[0] = '\0';
	while (options.n) {
		*bad = next_option(&options, &value);
		if (!put_option(terms, &n, *bad, value, &match))
			return -EINVAL;
	}
	if (match)
		fmt_print(terms + n, LIKWID_TERMS_MAX - n, ",config1=0x%llx",
			  (unsigned long long)match);
	return 0;
}

static int check_options(struct reading *r, struct metrics_span options, unsigned column)
{
	char terms[LIKWID_TERMS_MAX];
	struct metrics_span bad;

	if (!likwid_options(options, terms, &bad))
		return 0;
	r->column = column;
	return reading_refuse(r,
			      "option '%.*s' of a counter is not known, or lacks its number; there "
			      "are EDGEDETECT, THRESHOLD=N, INVERT, ANYTHREAD, IN_TRANSACTION, "
			      "IN_TRANSACTION_ABORTED, KERNEL, MATCH0=N and MATCH1=N",
			      bad.n > 40 ? 40 : (int)bad.n, bad.at);
}

static int take_counter(struct reading *r)
{
	const unsigned column = r->column;
	const struct metrics_span counter = reading_word(r);
	struct metrics_span plain = counter, options;
	struct metrics_event *event;
	int err;

	for (plain.n = 0; plain.n < counter.n && counter.at[plain.n] != ':';)
		plain.n++;
	options.n = plain.n < counter.n ? counter.n - plain.n - 1 : 0;
	options.at = counter.at + counter.n - options.n;
	err = check_counter(r, plain, column);
	if (!err)
		err = check_options(r, options, column + plain.n + 1);
	if (err)
		return err;
	if (!r->line.n)
		return reading_refuse(r, "counter %.*s has no event", (int)counter.n, counter.at);
	event = reading_add_event(r, counter);
	if (!event)
		return -EINVAL;
	event->event = reading_word(r);
	event->likwid = true;
	event->options = options;
	return r->line.n ? reading_refuse(r, "'%.*s' stands behind the event", (int)r->line.n,
					  r->line.at)
			 : 0;
}

static void strip_end(struct metrics_span *span)
{
	while (span->n && ascii_is_blank(span->at[span->n - 1]))
		span->n--;
}

/* Moves a "[UNIT]" from the end of the name to the unit. */
static void take_brackets(struct metrics_span *name, struct metrics_span *unit)
{
	unsigned at = name->n;

	*unit = (struct metrics_span){NULL, 0};
	if (!name->n || name->at[name->n - 1] != ']')
		return;
	while (at && name->at[at - 1] != '[')
		at--;
	if (at < 2)
		return;
	*unit = (struct metrics_span){name->at + at, name->n - at - 1};
	name->n = at - 1;
	strip_end(name);
}

/* Two metrics of a group may differ only by their units. */
static bool has_metric_named(const struct reading *r, struct metrics_span name)
{
	char text[METRICS_NAME_MAX + 1];

	if (name.n > METRICS_NAME_MAX)
		return false;
	memcpy(text, name.at, name.n);
	text[name.n] = '\0';
	for (unsigned i = 0; i < r->m->nrows; i++)
		if (r->m->row[i].text == r->text && span_is(r->m->row[i].name, text))
			return true;
	return false;
}

static int take_metric_line(struct reading *r)
{
	struct metrics_span name = r->line, formula = r->line, unit, named_with_unit;
	struct metrics_row *row;

	while (name.n && !ascii_is_blank(name.at[name.n - 1]))
		name.n--;
	formula.at += name.n;
	formula.n -= name.n;
	r->column += name.n;
	strip_end(&name);
	named_with_unit = name;
	take_brackets(&name, &unit);
	if (unit.n && has_metric_named(r, name))
		name = named_with_unit;
	if (!name.n)
		return reading_refuse(r, "a metric is a name and a formula without blanks");
	row = reading_add_row(r, name);
	if (!row)
		return -EINVAL;
	row->formula = formula;
	row->unit = unit;
	return 0;
}

/* The name of PATH/NAME.txt is NAME. */
static struct metrics_span name_of_file(const char *where)
{
	const char *name = where, *end;

	for (const char *c = where; *c; c++)
		if (*c == '/' || *c == '\\')
			name = c + 1;
	for (end = name; *end && *end != '.'; end++)
		;
	return (struct metrics_span){name, (unsigned)(end - name)};
}

static bool take_heading(struct reading *r, enum section *section)
{
	static const struct {
		const char *word;
		enum section section;
	} headings[] = {
		{"EVENTSET", SECTION_EVENTS}, {"METRICS", SECTION_METRICS}, {"LONG", SECTION_LONG}};

	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		if (span_is(r->line, headings[i].word)) {
			*section = headings[i].section;
			return true;
		}
	return false;
}

static int take_likwid_line(struct reading *r, enum section *section)
{
	if (take_heading(r, section))
		return 0;
	if (*section == SECTION_EVENTS)
		return take_counter(r);
	if (*section == SECTION_METRICS)
		return take_metric_line(r);
	/* With fewer counters, events take turns. */
	if (span_is(r->line, "REQUIRE_NOHT"))
		return 0;
	return reading_refuse(r, "'%.*s' stands where EVENTSET is to be",
			      r->line.n > 40 ? 40 : (int)r->line.n, r->line.at);
}

int layout_likwid(struct reading *r)
{
	enum section section = SECTION_NONE;
	int err = 0;

	if (!reading_next(r, &err))
		return err;
	reading_word(r);
	err = reading_add_group(r, name_of_file(r->m->where[r->text]));
	if (err)
		return err;
	r->m->group[r->group].about = r->line;
	while (section != SECTION_LONG && !err && reading_next(r, &err))
		err = take_likwid_line(r, &section);
	if (err || section >= SECTION_METRICS)
		return err;
	return reading_refuse(r, "the text ends before METRICS");
}
